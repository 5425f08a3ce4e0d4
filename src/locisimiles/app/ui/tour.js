// The tour: frames the part of the page that a step is about, and puts the dialog beside it.
window.loci.tour = (() => {
  const NARROW = 800, GAP = 12, EDGE = 6, HEADER = 72, PATIENCE_MS = 6000, EVERY_MS = 200;
  let part = '', seen = null, since = 0, timer = null;

  const dialog = () => document.querySelector('.tour');
  const buttons = () => [...dialog().querySelectorAll('button:not([disabled])')]
    .filter((button) => button.getClientRects().length > 0);
  const find = () => [...document.querySelectorAll(part)].find((one) => one.getClientRects().length > 0);

  function show(wanted) {
    part = wanted;
    seen = null;
    since = Date.now();
    clearInterval(timer);
    timer = setInterval(place, EVERY_MS);
    place();
  }

  function place() {
    const box = dialog();
    if (!box) return;
    const target = find();
    if (target && target !== seen) {
      seen = target;
      reveal(target);
    }
    if (!target && Date.now() - since < PATIENCE_MS && seen === null) return keepFocus(box);
    frame(target ? target.getBoundingClientRect() : null, box);
    keepFocus(box);
  }

  function reveal(target) {
    target.style.scrollMarginTop = `${HEADER}px`;
    const tall = target.getBoundingClientRect().height > innerHeight / 2;
    target.scrollIntoView({block: tall || innerWidth <= NARROW ? 'start' : 'center'});
  }

  function frame(target, box) {
    const ring = document.querySelector('.tour-ring');
    ring.hidden = !target;
    if (!target) return beside(box, null);
    const left = Math.max(target.left - EDGE, 2), top = Math.max(target.top - EDGE, 2);
    const right = Math.min(target.right + EDGE, innerWidth - 2), bottom = Math.min(target.bottom + EDGE, innerHeight - 2);
    Object.assign(ring.style, {left: `${left}px`, top: `${top}px`,
      width: `${Math.max(right - left, 0)}px`, height: `${Math.max(bottom - top, 0)}px`});
    beside(box, {left, top, right, bottom});
  }

  // Below the part if there is room, else above it, beside it, or in a corner. On a phone the style
  // sheet keeps the dialog at the bottom.
  function beside(box, target) {
    if (innerWidth <= NARROW) return Object.assign(box.style, {left: '', top: ''});
    const {width, height} = box.getBoundingClientRect();
    const lowest = innerHeight - height - GAP, rightmost = innerWidth - width - GAP;
    let left = (innerWidth - width) / 2, top = (innerHeight - height) / 2;
    if (target) {
      left = target.left;
      if (target.bottom + GAP <= lowest) top = target.bottom + GAP;
      else if (target.top - GAP - height >= HEADER) top = target.top - GAP - height;
      else {
        top = Math.max(target.top, HEADER);
        if (target.right + GAP <= rightmost) left = target.right + GAP;
        else if (target.left - GAP - width >= 0) left = target.left - GAP - width;
        else { left = rightmost; top = lowest; }
      }
    }
    box.style.left = `${Math.min(Math.max(left, GAP), rightmost)}px`;
    box.style.top = `${Math.min(Math.max(top, GAP), lowest)}px`;
  }

  function keepFocus(box) {
    const inside = box.contains(document.activeElement) && document.activeElement !== box;
    if (inside && !document.activeElement.disabled) return;
    (buttons().find((button) => button.matches('.tour-next')) || box).focus({preventScroll: true});
  }

  document.addEventListener('keydown', (event) => {
    const box = dialog();
    if (!box || !['Escape', 'Tab'].includes(event.key)) return;
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      box.querySelector('.tour-end').click();
      return;
    }
    const all = buttons(), at = all.indexOf(document.activeElement);
    event.preventDefault();
    all[(at + (event.shiftKey ? -1 : 1) + all.length) % all.length].focus();
  }, true);

  addEventListener('resize', () => { if (dialog()) place(); });

  function end() {
    clearInterval(timer);
    document.getElementById('results')?.focus({preventScroll: true});
  }

  return {show, end};
})();
