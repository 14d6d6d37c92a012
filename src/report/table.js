// The table of parameters: worst first, sorted and filtered by the reader, one page at a time.
const ROWS = 25;
const COLUMNS = [
  ["name", "parameter"], ["mean", "mean", number], ["mcse", "± MCSE", number], ["sd", "sd", number],
  ["q05", "5 %", number], ["q50", "50 %", number], ["q95", "95 %", number],
  ["ess_bulk", "ESS bulk", count], ["ess_tail", "tail", count], ["ess_sq", "squares", count],
  ["rhat", "R-hat", ratio],
];

/// A curve of [x, y] in the unit square as a small picture.
function spark(points, width, area) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const height = 24;
  for (const [name, value] of Object.entries({ width, height, class: "spark", "aria-hidden": "true" })) {
    svg.setAttribute(name, value);
  }
  const place = points.map(([x, y]) => `${(x * width).toFixed(1)},${(1 + (1 - y) * (height - 2)).toFixed(1)}`);
  const draw = (text, name) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", text);
    if (name) path.setAttribute("class", name);
    svg.append(path);
  };
  if (place.length > 1) {
    if (area) draw(`M0,${height}L${place.join("L")}L${width},${height}Z`, "area");
    draw(`M${place.join("L")}`);
  }
  return svg;
}

function sparkDensity(run, j) {
  const curve = meanDensity(run, j);
  const top = Math.max(...curve.map(point => point.y));
  return spark(top > 0 ? curve.map((p, i) => [i / (curve.length - 1), p.y / top]) : [], 72, true);
}

/// The chains one after another, thinned to what 104 pixels can show.
function sparkTrace(run, j) {
  const { count: n, low, high } = run.pictures;
  const every = Math.max(1, Math.ceil(n * run.chains / 208));
  const points = [];
  for (let k = 0; k < n * run.chains; k += every) {
    const value = drawOf(run, j, Math.floor(k / n), k % n);
    if (value !== null && high[j] > low[j]) {
      points.push([k / (n * run.chains), (value - low[j]) / (high[j] - low[j])]);
    }
  }
  return spark(points, 104, false);
}

function isBad(run, key, value) {
  if (key === "rhat") return value > 1.01;
  return key.startsWith("ess") && value !== null && value < 100 * run.chains;
}

/// chosen: a Set of parameter indices; changed is called after each choice.
function parameterTable(run, chosen, changed) {
  const state = { key: "worst", up: true, page: 0, text: "" };
  const body = element("tbody");
  const shown = element("span", { class: "count" });
  const search = element("input", {
    type: "search", placeholder: "Find a parameter", "aria-label": "Find a parameter",
    oninput: () => { state.text = search.value; state.page = 0; fill(); },
  });
  const step = by => () => { state.page += by; fill(); };
  const back = element("button", { type: "button", onclick: step(-1), "aria-label": "Page before" }, "←");
  const on = element("button", { type: "button", onclick: step(1), "aria-label": "Next page" }, "→");
  const heads = COLUMNS.map(([key, title]) => element("th", { scope: "col" }, element("button", {
    type: "button", "data-key": key, "data-arrow": "", onclick: () => sortBy(key),
  }, title)));

  function sortBy(key) {
    state.up = state.key === key ? !state.up : true;
    Object.assign(state, { key, page: 0 });
    fill();
  }
  function worstFirst() {
    Object.assign(state, { key: "worst", up: true, page: 0 });
    fill();
  }
  function ordered() {
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    const names = run.table.name, values = run.table[state.key];
    const rows = range(names.length).filter(j => words.every(w => names[j].toLowerCase().includes(w)));
    const compare = state.key === "name"
      ? (a, b) => names[a].localeCompare(names[b], "en", { numeric: true })
      : (a, b) => (values[a] ?? -Infinity) - (values[b] ?? -Infinity);
    return rows.sort((a, b) => (state.up ? compare(a, b) : compare(b, a)) || a - b);
  }
  function row(j) {
    const box = element("input", { type: "checkbox", onchange: () => choose(j, box.checked) });
    box.checked = chosen.has(j);
    const cells = COLUMNS.map(([key, , text]) => {
      if (key === "name") return element("td", {}, element("label", {}, box, run.table.name[j]));
      const value = run.table[key][j];
      return element("td", { class: isBad(run, key, value) ? "bad" : "", title: String(value ?? "not defined") },
        text(value));
    });
    return element("tr", { class: `choosable${chosen.has(j) ? " chosen" : ""}`, "data-parameter": j, onclick: event => {
      if (!event.target.closest("label")) choose(j, !chosen.has(j));
    } }, cells[0], element("td", {}, sparkDensity(run, j)), element("td", {}, sparkTrace(run, j)), cells.slice(1));
  }
  function choose(j, wanted) {
    if (wanted) chosen.add(j); else chosen.delete(j);
    fill();
    changed();
  }
  function fill() {
    const rows = ordered();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS));
    state.page = Math.min(Math.max(0, state.page), pages - 1);
    const first = state.page * ROWS;
    body.replaceChildren(...rows.slice(first, first + ROWS).map(row));
    back.disabled = state.page === 0;
    on.disabled = state.page === pages - 1;
    const order = state.key === "worst" ? ", lowest ESS first" : "";
    shown.textContent = rows.length === 0 ? "no parameter of that name"
      : `${first + 1}–${Math.min(first + ROWS, rows.length)} of ${rows.length}${order}`;
    for (const head of heads) {
      const button = head.firstChild;
      const current = button.dataset.key === state.key;
      button.dataset.arrow = current ? (state.up ? "↑" : "↓") : "";
      head.setAttribute("aria-sort", current ? (state.up ? "ascending" : "descending") : "none");
    }
  }
  fill();
  const plain = title => element("th", { class: "plain", scope: "col" }, title);
  return element("div", {},
    element("div", { class: "controls" }, search,
      element("button", { type: "button", onclick: worstFirst }, "worst first"), shown, back, on),
    element("div", { class: "scroll" }, element("table", { id: "parameters" },
      element("thead", {}, element("tr", {}, heads[0], plain("density"), plain("trace"), heads.slice(1))),
      body)));
}
