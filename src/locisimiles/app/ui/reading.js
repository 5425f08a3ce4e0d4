// What readers need in the browser: words to look up, and a text that goes on as it is scrolled.
(() => {
  const NEAR = 900;  // pixels before the end at which more of a text is asked for
  const loci = window.loci;
  let looked = 0;

  // The menu of a word opens beside it, so the word has an id.
  loci.lookUp = (word) => {
    word.id = `word-${++looked}`;
    word.focus({preventScroll: true});
    loci.emit('loci_word', {form: word.textContent, anchor: word.id});
  };

  document.addEventListener('click', (event) => {
    const word = event.target instanceof Element && event.target.closest('.words .word');
    if (!word || !getSelection().isCollapsed) return;  // the end of a selection
    event.stopPropagation();
    loci.lookUp(word);
  }, true);

  const scroller = () => document.querySelector('.source-scroll');
  const ends = (box) => [...box.querySelectorAll('.source-passage')];
  let waiting = false;

  function wanted(box) {
    const list = box.querySelector('.source-text');
    const passages = ends(box);
    if (!passages.length) return null;
    const first = Number(passages[0].dataset.position);
    const last = Number(passages.at(-1).dataset.position);
    if (box.scrollTop < NEAR && first > Number(list.dataset.begin)) return {before: first};
    const below = box.scrollHeight - box.clientHeight - box.scrollTop;
    if (below < NEAR && last + 1 < Number(list.dataset.end)) return {after: last};
    return null;
  }

  function goOn() {
    const box = scroller();
    if (!box || waiting) return;
    const more = wanted(box);
    if (!more) return;
    waiting = true;
    loci.emit('loci_source', more);
  }

  // Tab leads from the text to a word that can be seen.
  function stopHere() {
    const box = scroller();
    if (!box || box.contains(document.activeElement) && document.activeElement !== box) return;
    const top = box.getBoundingClientRect().top;
    const passage = ends(box).find((one) => one.getBoundingClientRect().bottom > top + 8);
    const cited = box.querySelector('.source-passage.cited');
    const seen = cited && cited.getBoundingClientRect().top >= top
      && cited.getBoundingClientRect().top < box.getBoundingClientRect().bottom;
    const word = ((seen && cited) || passage)?.querySelector('.word');
    if (word) loci.stop([...box.querySelectorAll('.word')], word);
  }

  // A text is at the cited passage before anybody sees it.
  const begun = new WeakSet();
  function begin() {
    const box = scroller();
    if (!box || begun.has(box)) return;
    begun.add(box);
    waiting = false;
    loci.source.cited();
    let resting = 0;
    box.addEventListener('scroll', () => {
      goOn();
      clearTimeout(resting);
      resting = setTimeout(stopHere, 150);
    });
    stopHere();
    goOn();
  }
  new MutationObserver(begin).observe(document.body, {childList: true, subtree: true});

  loci.source = {
    cited() {
      const box = scroller();
      const passage = box?.querySelector('.source-passage.cited');
      if (!passage) return;
      const from = passage.getBoundingClientRect().top - box.getBoundingClientRect().top;
      box.scrollTop += from - box.clientHeight / 4;
    },
    // What was read stays where it is while earlier passages come before it.
    add(html, before) {
      const box = scroller();
      const list = box?.querySelector('.source-text');
      waiting = false;
      if (!list) return;
      const first = ends(box)[0];
      const from = first.getBoundingClientRect().top;
      list.insertAdjacentHTML(before ? 'afterbegin' : 'beforeend', html);
      box.scrollTop += first.getBoundingClientRect().top - from;
      goOn();
    },
  };
})();
