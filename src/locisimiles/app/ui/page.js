// What all pages need in the browser: keys, focus, addresses. Nothing here decides what a key does.
window.loci = (() => {
  const OPEN = '.q-dialog__inner, .q-menu, .tour';
  const WORDS = '.words';
  const ITEMS = {'.reading': '.segment', '.candidates': '.candidate > :is(.place, .also) .link',
    [WORDS]: '.word', '.source-text': '.source-places .link',
    '.library-list': 'input[type=checkbox]:not(:disabled)'};
  const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), textarea, '
    + '[tabindex]:not([tabindex="-1"])';
  const self = {keys: ''};

  const home = () => document.getElementById('results') || document.querySelector('[tabindex]');
  const seen = (element) => element.isConnected && element.getClientRects().length > 0;
  const lost = () => !document.activeElement || document.activeElement === document.body;

  // Typing must never judge. A drop-down without a text field has an input, but nobody types there.
  const types = (element) => element.isContentEditable
    || (element.matches('input, textarea, select') && !element.matches('.q-select__focus-target, .choose'));

  // A menu that fades out is closed.
  const covered = () => [...document.querySelectorAll(OPEN)]
    .some((one) => !one.matches('[class*="-leave-active"]'));

  Object.assign(self, {types, covered});

  // Nothing but options may take the focus in a list of options; Quasar lets what holds them.
  new MutationObserver(() => {
    for (const holder of document.querySelectorAll('[role=listbox] > [tabindex]:not([role])')) {
      holder.removeAttribute('tabindex');
    }
  }).observe(document.body, {childList: true});

  const emit = (name, values) => emitEvent(name, values);

  document.addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (walksMenu(event, target) || types(target)) return;
    if (target.matches('.words .word, .source-places .link')
      && (looksUp(event, target) || roves(event, target))) return;
    if (covered()) return;
    if (choosesRow(event, target) || roves(event, target)) return;
    if (event.repeat || event.key.length !== 1 || !self.keys.includes(event.key)) return;
    // A closed drop-down would open for any letter.
    event.preventDefault();
    event.stopPropagation();
    if (lost()) home()?.focus({preventScroll: true});
    emit('loci_key', {key: event.key});
  }, true);

  function choosesRow(event, target) {
    const row = target.closest('.ag-row[row-id]');
    if (!row || !['Enter', ' '].includes(event.key) || target.closest('.ag-selection-checkbox')) return false;
    event.preventDefault();
    event.stopPropagation();
    emit('loci_row', {row: row.getAttribute('row-id')});
    return true;
  }

  function looksUp(event, word) {
    if (!['Enter', ' '].includes(event.key) || !word.matches('.word')) return false;
    event.preventDefault();
    event.stopPropagation();
    self.lookUp(word);
    return true;
  }

  // One stop of the Tab key per list; arrows move inside. Those up and down scroll a text.
  function itemsOf(target) {
    for (const [list, item] of Object.entries(ITEMS)) {
      const box = target.matches(item) && target.closest(list);
      if (box) return {list, items: [...box.querySelectorAll(item)]};
    }
    return null;
  }

  function roves(event, target) {
    const {list, items} = itemsOf(target) || {};
    if (!items) return false;
    const at = items.indexOf(target);
    const to = list === WORDS
      ? {ArrowRight: at + 1, ArrowLeft: at - 1}[event.key]
      : {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1}[event.key];
    if (to === undefined) return false;
    event.preventDefault();
    if (items[to]) { stop(items, items[to]); items[to].focus(); }
    return true;
  }

  // Arrows move in a menu, as they do in menus of programs; drop-downs have arrows of their own.
  function walksMenu(event, target) {
    const menu = target.closest('.q-menu:not([role=listbox])');
    const items = menu && !types(target) ? [...menu.querySelectorAll('.q-item--clickable')].filter(seen) : [];
    const at = items.indexOf(target);
    const to = {ArrowDown: at + 1, ArrowUp: at < 0 ? items.length - 1 : at - 1, Home: 0, End: items.length - 1}[event.key];
    if (!items.length || to === undefined) return false;
    event.preventDefault();
    items[to]?.focus();
    return true;
  }

  const stop = (items, one) => items.forEach((item) => { item.tabIndex = item === one ? 0 : -1; });

  function arrange() {
    for (const [list, item] of Object.entries(ITEMS)) {
      document.querySelectorAll(list).forEach((box) => {
        const items = [...box.querySelectorAll(item)];
        const current = items.find((one) => one === document.activeElement)
          || (list === WORDS && items.find((one) => one.tabIndex === 0))
          || items.find((one) => one.hasAttribute('aria-current')) || items[0];
        if (current && (current.tabIndex !== 0 || items.filter((one) => one.tabIndex === 0).length > 1)) {
          stop(items, current);
        }
      });
    }
    document.querySelectorAll('.library-list ul').forEach(checkAuthor);
  }

  // The box of an author says whether all works below are chosen, or some.
  function checkAuthor(works) {
    const author = works.previousElementSibling?.querySelector('input');
    if (!author) return;
    const boxes = [...works.querySelectorAll('input:not(:disabled)')];
    author.checked = boxes.every((box) => box.checked);
    author.indeterminate = !author.checked && boxes.some((box) => box.checked);
  }

  self.checkLibrary = (field) => {
    const works = field.closest('ul') || field.closest('.author').nextElementSibling;
    if (field.dataset.do === 'author') {
      works.querySelectorAll('input:not(:disabled)').forEach((box) => { box.checked = field.checked; });
    }
    checkAuthor(works);
  };

  // In the library, arrows lead from the names to the list and through it. Returns the work at which
  // Enter was pressed, an empty name for none, and null for every other key.
  self.walkLibrary = (event) => {
    const card = event.target.closest('.library-card');
    const words = card.querySelector('.library-words input');
    const boxes = [...card.querySelectorAll(`.library-list ${ITEMS['.library-list']}`)];
    const at = boxes.indexOf(event.target);
    if (at < 0 && event.target !== words) return null;
    if (event.key === 'Enter') {
      event.preventDefault();
      return at < 0 ? '' : event.target.dataset.work ?? boxes[at + 1].dataset.work;
    }
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, ...(at < 0 ? {} : {Home: 0, End: boxes.length - 1})}[event.key];
    if (to === undefined || event.target === words && to < 0) return null;
    event.preventDefault();
    if (boxes[to]) stop(boxes, boxes[to]);
    (to < 0 ? words : boxes[to])?.focus();
    return null;
  };

  // Views are drawn again while somebody is in them: the same button, or what is nearest, gets the
  // focus that the old one had.
  let last = null;
  document.addEventListener('focusin', ({target}) => {
    if (target === document.body) return;
    const around = [];
    for (let box = target.parentElement; box && box !== document.body; box = box.parentElement) around.push(box);
    last = {element: target, same: describe(target), around};
  });

  function describe(element) {
    const cell = element.closest('.ag-cell');
    const row = cell && cell.closest('.ag-row');
    const ways = [];
    if (element.id) ways.push(`#${CSS.escape(element.id)}`);
    if (row) {
      ways.push(`.ag-row[row-id="${CSS.escape(row.getAttribute('row-id'))}"] .ag-cell[col-id="${CSS.escape(cell.getAttribute('col-id'))}"]`);
    }
    const data = Object.entries(element.dataset);
    if (element.dataset.do) {
      const name = element.tagName.toLowerCase();
      ways.push(name + data.map(([key, value]) => `[data-${key}="${CSS.escape(value)}"]`).join(''));
      if (element.dataset.do === 'row') ways.push('.candidate.chosen .link');
      if (element.dataset.do === 'query') ways.push('.segment.here');
    }
    const label = element.getAttribute('aria-label');
    if (label) ways.push(`[aria-label="${CSS.escape(label)}"]`);
    return ways;
  }

  function nearest() {
    for (const way of last ? last.same : []) {
      const found = [...document.querySelectorAll(way)].find(seen);
      if (found) return found;
    }
    for (const box of last ? last.around : []) {
      if (!seen(box)) continue;
      if (box.contains(home())) break;
      const found = box.tabIndex >= 0 ? box : [...box.querySelectorAll(FOCUSABLE)].find(seen);
      if (found) return found;
    }
    return home();
  }

  function keepFocus() {
    if (!last || !lost() || !document.hasFocus()) return;
    if (seen(last.element)) return;  // it was left on purpose, by a click beside it
    nearest()?.focus({preventScroll: true});
  }

  let waiting = false;
  const changed = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => { waiting = false; arrange(); keepFocus(); });
  };
  new MutationObserver(changed).observe(document.body, {childList: true, subtree: true, attributes: true,
    attributeFilter: ['class', 'style', 'aria-hidden', 'disabled']});
  document.addEventListener('focusout', () => setTimeout(keepFocus));

  document.addEventListener('click', (event) => {
    if (!event.target.closest('.skip')) return;
    event.preventDefault();
    const chosen = document.querySelector('#results .candidate.chosen .link');
    (chosen || home())?.focus();
  });

  self.emit = emit;
  self.stop = stop;

  // The address says what is shown; Back returns to the view before.
  self.address = (search, pushed) => {
    const wanted = location.pathname + search;
    if (wanted === location.pathname + location.search) return;
    history[pushed ? 'pushState' : 'replaceState'](null, '', wanted);
  };
  self.followAddress = () => addEventListener('popstate', () => emit('loci_address', {search: location.search}));
  return self;
})();
