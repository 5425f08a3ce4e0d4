"use strict";
(() => {
  const table = document.getElementById("references");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const find = document.getElementById("find");
  const author = document.getElementById("author");
  const least = document.getElementById("least");
  const count = document.getElementById("count");
  const more = document.getElementById("more");
  const PAGE = 500;
  let shown = PAGE;
  // Spelling must not hide what is looked for: u and v, i and j, and case are one.
  const fold = (text) => text.toLowerCase().replace(/v/g, "u").replace(/j/g, "i");
  const texts = rows.map((row) => fold(row.textContent));
  const number = new Map(rows.map((row, place) => [row, place]));

  function show() {
    const wanted = fold(find.value.trim()).split(/\s+/).filter(Boolean);
    const bound = least.value === "" ? -Infinity : Number(least.value);
    let fitting = 0;
    for (const row of body.rows) {
      const text = texts[number.get(row)];
      const fits = wanted.every((word) => text.includes(word)) &&
        (author.value === "" || row.dataset.author === author.value) &&
        Number(row.dataset.least) >= bound;
      fitting += fits ? 1 : 0;
      row.hidden = !fits || fitting > shown;
    }
    count.textContent = `${Math.min(fitting, shown)} of ${fitting} shown, ${rows.length} in all`;
    more.hidden = fitting <= shown;
  }

  function sortBy(heading) {
    // Of scores people want the highest first, of names and ranks the first.
    const before = heading.getAttribute("aria-sort");
    const descending = before ? before === "ascending" : heading.dataset.first === "highest";
    const column = heading.cellIndex;
    const numeric = heading.dataset.kind === "number";
    const value = (row) => row.cells[column].dataset.value;
    const compare = numeric
      ? (one, other) => Number(value(one)) - Number(value(other))
      : (one, other) => value(one).localeCompare(value(other), "la", { numeric: true });
    const sorted = Array.from(body.rows).sort(
      (one, other) => (descending ? -1 : 1) * compare(one, other) || number.get(one) - number.get(other)
    );
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    for (const row of sorted) body.append(row);
    show();
  }

  for (const heading of table.tHead.rows[0].cells) {
    heading.querySelector("button").addEventListener("click", () => sortBy(heading));
  }
  for (const control of [find, author, least]) {
    control.addEventListener("input", () => { shown = PAGE; show(); });
  }
  more.addEventListener("click", () => { shown = Infinity; show(); });
  // What is printed is all that fits, not its first page.
  let before = PAGE;
  window.addEventListener("beforeprint", () => { before = shown; shown = Infinity; show(); });
  window.addEventListener("afterprint", () => { shown = before; show(); });
  document.getElementById("controls").hidden = false;
  show();
})();
