(() => {
  "use strict";
  const recall = (name) => { try { return localStorage.getItem(`perf-ladders ${name}`); } catch { return null; } };
  const remember = (name, value) => { try { localStorage.setItem(`perf-ladders ${name}`, value); } catch { /* refused from disk */ } };
  const choose = (name, value) => {
    document.body.dataset[name] = value;
    for (const part of document.querySelectorAll(`[data-of-${name}]`)) {
      part.hidden = part.getAttribute(`data-of-${name}`) !== value;
    }
  };
  for (const group of document.querySelectorAll("[data-switch]")) {
    const name = group.dataset.switch;
    const choices = [...group.querySelectorAll("input")];
    const chosen = choices.find((one) => one.value === recall(name)) ?? choices.find((one) => one.defaultChecked);
    chosen.checked = true;
    choose(name, chosen.value);
    group.addEventListener("change", (event) => { choose(name, event.target.value); remember(name, event.target.value); });
    group.hidden = false;
    group.scrollLeft = chosen.parentElement.offsetLeft - group.clientWidth / 2;
  }

  const picks = [...document.querySelectorAll("[data-pick]")];
  const showPicked = () => {
    for (const part of document.querySelectorAll("[data-choice]")) {
      const place = picks.findIndex((one) => one.value === part.dataset.choice);
      part.hidden = place < 0;
      part.style.order = place;
    }
  };
  for (const pick of picks) {
    const before = recall(pick.dataset.pick);
    if ([...pick.options].some((one) => one.value === before)) pick.value = before;
    pick.addEventListener("change", () => { remember(pick.dataset.pick, pick.value); showPicked(); });
    pick.parentElement.hidden = false;
  }
  if (picks.length) showPicked();

  const key = (row, column) => {
    const cell = row.cells[column];
    const shown = cell.querySelector(`.unit-${document.body.dataset.unit}`) ?? cell;
    return shown.dataset.sort ?? shown.textContent.trim();
  };
  const compare = (a, b) => (isNaN(a) || isNaN(b) ? a.localeCompare(b, "en", { numeric: true }) : a - b);
  const sort = (heading) => {
    const direction = heading.ariaSort === "ascending" ? -1 : 1;
    for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
    heading.ariaSort = direction > 0 ? "ascending" : "descending";
    const body = heading.closest("table").tBodies[0];
    const rows = [...body.rows].map((row) => [row, key(row, heading.cellIndex)]);
    rows.sort(([, a], [, b]) => (a === "" || b === "" ? (a === "") - (b === "") : direction * compare(a, b)));
    body.append(...rows.map(([row]) => row));
  };
  for (const heading of document.querySelectorAll("table.sortable thead tr:last-child th")) {
    const button = document.createElement("button");
    if (heading.querySelector("a")) button.setAttribute("aria-label", `Sort by ${heading.textContent.trim()}`); // no link in a button
    else button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(heading));
    heading.append(button);
  }
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
  });
  addEventListener("afterprint", () => { for (const part of opened) part.open = false; });
})();
