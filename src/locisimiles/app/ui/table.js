// What the table of pairs needs in the browser: fragments that fit their cells, and the selection.
// The server decides what is selected; here it is asked for, and shown.
window.lociTable = (() => {
  const self = {place: '', query: '', chosen: null, label: '', all: false, rows: new Set(), anchor: null};
  const PADDING = 20, MARK = 8, MOST_WIDTHS = 5000;
  const DOTS = [['…', null, false]];
  const ruler = document.createElement('canvas').getContext('2d');
  const widths = new Map();

  self.decimal = (value, digits) => (value == null ? '' : value.toLocaleString(
    document.documentElement.lang || 'en', {minimumFractionDigits: digits, maximumFractionDigits: digits}));

  // Texts become elements here, never markup.
  self.kwic = (params) => {
    const name = params.column.getColId();
    const box = element('div', 'kwic latin-cell');
    const fragment = params.data && params.data[name.replace('_text', '_kwic')];
    if (!fragment) return box;
    const [before, keyword, after] = fragment.map(wordsOf);
    const room = params.column.getActualWidth() - PADDING;
    box.lang = 'la';
    box.title = params.data[name];
    if (!keyword.length) {
      box.append(part('after', fit(after, room)));
      return box;
    }
    const edges = (before.length ? 1 : 0) + (after.length ? 1 : 0);
    const middle = fit(keyword, room - edges * widthOf(DOTS));
    const side = Math.max(room - middle.reduce((sum, word) => sum + widthOf(word), 0), 0) / 2;
    box.append(part('before', fit(before.reverse(), side).reverse()), part('keyword', middle), part('after', fit(after, side)));
    return box;
  };

  // Where a column is too narrow, the work is cut short, never the locus.
  self.citation = (params) => {
    const name = params.column.getColId().replace('_id', '_citation');
    const cited = (params.data && params.data[name]) || '';
    const box = element('span', 'citation');
    box.title = cited;
    const [, work, locus] = cited.match(/^(.*\s)?(\S*)$/);
    box.append(element('span', 'cited-work'), element('span', 'cited-locus'));
    box.firstChild.textContent = work || '';
    box.lastChild.textContent = locus;
    const others = name === 'source_citation' && params.data ? params.data.parallels : 0;
    if (others) {
      box.append(element('span', 'chip parallels'));
      box.lastChild.textContent = `+${others}`;
      box.lastChild.title = `${self.also}: ${others}`;
    }
    return box;
  };

  self.fit = (api) => api.refreshCells({columns: ['query_text', 'source_text'], force: true});

  function element(name, style) {
    const made = document.createElement(name);
    if (style) made.className = style;
    return made;
  }

  // A word is a list of parts, since a mark may end inside it.
  function wordsOf(pieces) {
    const words = [[]];
    for (const [text, number, hit] of pieces) {
      for (const piece of text.split(/(\s+)/)) {
        if (!piece) continue;
        if (/^\s/.test(piece)) words.push([]); else words.at(-1).push([piece, number, hit]);
      }
    }
    return words.filter((word) => word.length);
  }

  function lengthOf(text) {
    if (!widths.has(text)) {
      if (widths.size > MOST_WIDTHS) widths.clear();
      if (!self.font) self.font = fontOf();
      ruler.font = self.font;
      widths.set(text, ruler.measureText(text).width);
    }
    return widths.get(text);
  }

  function fontOf() {
    const probe = element('span', 'latin-cell');
    (document.querySelector('.result-table .ag-root') || document.body).append(probe);
    const style = getComputedStyle(probe);
    const font = `${style.fontSize} ${style.fontFamily}`;
    probe.remove();
    return font;
  }

  const widthOf = (word) => lengthOf(' ')
    + word.reduce((sum, [text, number]) => sum + lengthOf(text) + (number === null ? 0 : MARK), 0);

  // As many words as there is room for, and dots if these are not all.
  function fit(words, room) {
    const kept = [];
    let left = room;
    for (const [at, word] of words.entries()) {
      left -= widthOf(word);
      if (left < (at === words.length - 1 ? 0 : widthOf(DOTS))) return [...kept, DOTS];
      kept.push(word);
    }
    return kept;
  }

  function part(style, words) {
    const box = element('span', style);
    words.forEach((word, at) => {
      if (at) box.append(' ');
      let mark = null, last = null;
      for (const [text, number, hit] of word) {
        if (number === null) mark = null;
        else if (number !== last) {
          mark = element('mark', `w${number % 8} u${Math.floor(number / 8) % 5}`);
          mark.dataset.n = number + 1;
          box.append(mark);
        }
        last = number;
        const inner = hit ? element('mark', 'hit') : document.createTextNode(text);
        if (hit) inner.textContent = text;
        (mark || box).append(inner);
      }
    });
    return box;
  }

  // The selection: some rows, or all but some.
  self.has = (row) => self.rows.has(row) !== self.all;

  self.select = (all, rows) => {
    self.all = all;
    self.rows = new Set(rows);
    document.querySelectorAll('.result-table .ag-row[row-id]').forEach((row) => {
      const selected = self.has(Number(row.getAttribute('row-id')));
      row.classList.toggle('selected-row', selected);
      row.querySelectorAll('.choose').forEach((box) => { box.checked = selected; });
    });
  };

  self.check = (params) => {
    if (!params.data) return element('span');
    const box = element('input', 'choose');
    box.type = 'checkbox';
    box.tabIndex = -1;
    box.checked = self.has(params.data.row);
    box.setAttribute('aria-label', `${self.label}: ${params.data.query_citation} – ${params.data.source_citation}`);
    return box;
  };

  const rowOf = (target) => target instanceof Element && target.closest('.result-table .ag-row[row-id]');
  const placeOf = (row) => ({row: Number(row.getAttribute('row-id')), index: Number(row.getAttribute('row-index'))});
  const isEmpty = () => !self.all && self.rows.size === 0;

  function choose(event, kind, row) {
    event.stopPropagation();
    const place = row ? placeOf(row) : {};
    emitEvent('loci_choose', {kind, ...place, anchor: self.anchor});
    if (kind !== 'range' || !self.anchor) self.anchor = row ? place : null;
  }

  // Before the listeners of the page and of the grid.
  window.addEventListener('click', (event) => {
    const row = rowOf(event.target);
    if (!row) return;
    if (event.shiftKey) choose(event, 'range', row);
    else if (event.ctrlKey || event.metaKey || event.target.closest('.ag-cell[col-id=choice]')) choose(event, 'toggle', row);
    else self.anchor = placeOf(row);
  }, true);

  window.addEventListener('keydown', (event) => {
    const table = document.querySelector('.result-table');
    const target = event.target instanceof Element ? event.target : document.body;
    if (!table || event.altKey || event.isComposing || window.loci.covered() || window.loci.types(target)) return;
    const row = rowOf(target);
    const held = event.ctrlKey || event.metaKey;
    const all = held && event.key.toLowerCase() === 'a' && (table.contains(target) || target === document.body);
    if (all) choose(event, 'all', null);
    else if (event.key === 'Escape' && !isEmpty()) choose(event, 'none', null);
    else if (row && event.key === ' ' && event.shiftKey) choose(event, 'range', row);
    else if (row && event.key === ' ' && (held || target.closest('.ag-cell[col-id=choice]'))) choose(event, 'toggle', row);
    else {
      if (row && ['Enter', ' '].includes(event.key)) self.anchor = placeOf(row);
      return;
    }
    event.preventDefault();
  }, true);
  return self;
})();
