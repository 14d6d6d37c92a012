// The table of parameters: worst first, sorted and filtered by the reader, one page at a time.
const ROWS = 25;
const COLUMNS = [
  ["name", "parameter"],
  ["mean", "mean", number],
  ["mcse", "± MCSE", number],
  ["sd", "sd", number],
  ["q05", "5 %", number],
  ["q50", "50 %", number],
  ["q95", "95 %", number],
  ["ess_bulk", "ESS bulk", count],
  ["ess_tail", "tail", count],
  ["ess_sq", "squares", count],
  ["rhat", "R-hat", ratio],
];
const BY_SCORES = [
  ["controlled", "mean by scores", number],
  ["controlled_mcse", "± MCSE", number],
];

/// With the means that scores made more exact, where a run has them.
function columnsOf(run) {
  if (!run.table.controlled) return COLUMNS;
  return [...COLUMNS.slice(0, 3), ...BY_SCORES, ...COLUMNS.slice(3)];
}

/// A curve of [x, y] in the unit square as a small picture.
function spark(points, width, area) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const height = 24;
  for (const [name, value] of Object.entries({
    width,
    height,
    class: "spark",
    "aria-hidden": "true",
  })) {
    svg.setAttribute(name, value);
  }
  const place = points.map(
    ([x, y]) => `${(x * width).toFixed(1)},${(1 + (1 - y) * (height - 2)).toFixed(1)}`,
  );
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
  const every = Math.max(1, Math.ceil((n * run.chains) / 208));
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
  if (key === "rhat") return value > run.limits.rhat;
  return key.startsWith("ess") && value !== null && value < run.limits.ess;
}

/// chosen: a Set of parameter indices; changed is called after each choice.
class ParameterTable {
  constructor(run, chosen, changed) {
    Object.assign(this, { run, chosen, changed, key: "worst", up: true, page: 0, text: "" });
    this.body = element("tbody");
    this.shown = element("span", { class: "count" });
    this.heads = columnsOf(run).map(([key, title]) =>
      element(
        "th",
        { scope: "col" },
        element(
          "button",
          { type: "button", "data-key": key, onclick: () => this.sortBy(key) },
          title,
        ),
      ),
    );
    this.node = element(
      "div",
      {},
      this.controls(),
      element(
        "div",
        { class: "scroll" },
        element("table", { id: "parameters" }, this.head(), this.body),
      ),
    );
    this.fill();
  }

  controls() {
    const search = element("input", {
      type: "search",
      placeholder: "Find a parameter",
      "aria-label": "Find a parameter",
      oninput: () => this.show({ text: search.value, page: 0 }),
    });
    const turn = (by, text, label) =>
      element(
        "button",
        {
          type: "button",
          "aria-label": label,
          onclick: () => this.show({ page: this.page + by }),
        },
        text,
      );
    this.back = turn(-1, "←", "Page before");
    this.on = turn(1, "→", "Next page");
    const worst = element(
      "button",
      {
        type: "button",
        onclick: () => this.show({ key: "worst", up: true, page: 0 }),
      },
      "worst first",
    );
    const these = element(
      "button",
      { type: "button", id: "choose", onclick: () => this.chooseShown() },
      "choose these",
    );
    return element(
      "div",
      { class: "controls" },
      search,
      worst,
      these,
      this.shown,
      this.back,
      this.on,
    );
  }

  head() {
    const plain = title => element("th", { class: "plain", scope: "col" }, title);
    const [name, ...numbers] = this.heads;
    return element("thead", {}, element("tr", {}, name, numbers, plain("density"), plain("trace")));
  }

  show(change) {
    Object.assign(this, change);
    this.fill();
  }

  sortBy(key) {
    this.show({ key, up: this.key === key ? !this.up : true, page: 0 });
  }

  /// The parameters that the search leaves, in order. What is not defined is worse than any number.
  ordered() {
    const words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    const names = this.run.table.name,
      values = this.run.table[this.key];
    const has = j => words.every(word => names[j].toLowerCase().includes(word));
    const compare =
      this.key === "name"
        ? (a, b) => names[a].localeCompare(names[b], "en", { numeric: true })
        : (a, b) => (values[a] ?? -Infinity) - (values[b] ?? -Infinity) || 0;
    const sign = this.up ? 1 : -1;
    return range(names.length)
      .filter(has)
      .sort((a, b) => sign * compare(a, b) || a - b);
  }

  choose(j, wanted) {
    if (wanted) this.chosen.add(j);
    else this.chosen.delete(j);
    this.fill();
    this.changed();
  }

  /// The rows of this page, or none where all of them are chosen.
  chooseShown() {
    const rows = this.ordered().slice(this.page * ROWS, (this.page + 1) * ROWS);
    const all = rows.every(j => this.chosen.has(j));
    for (const j of rows) {
      if (all) this.chosen.delete(j);
      else this.chosen.add(j);
    }
    this.fill();
    this.changed();
  }

  row(j) {
    const { run, chosen } = this;
    const box = element("input", { type: "checkbox", onchange: () => this.choose(j, box.checked) });
    box.checked = chosen.has(j);
    const numbers = columnsOf(run).slice(1).map(([key, , text]) => {
      const value = run.table[key][j];
      const title = String(value ?? "not defined");
      return element("td", { class: isBad(run, key, value) ? "bad" : "", title }, text(value));
    });
    const choose = event => {
      if (!event.target.closest("label")) this.choose(j, !chosen.has(j));
    };
    return element(
      "tr",
      { class: chosen.has(j) ? "choosable chosen" : "choosable", onclick: choose },
      element("td", {}, element("label", {}, box, run.table.name[j])),
      numbers,
      element("td", {}, sparkDensity(run, j)),
      element("td", {}, sparkTrace(run, j)),
    );
  }

  fill() {
    const rows = this.ordered();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS));
    this.page = Math.min(this.page, pages - 1);
    const first = this.page * ROWS;
    this.body.replaceChildren(...rows.slice(first, first + ROWS).map(j => this.row(j)));
    this.back.disabled = this.page === 0;
    this.on.disabled = this.page === pages - 1;
    const order = this.key === "worst" ? ", lowest ESS first" : "";
    this.shown.textContent =
      rows.length === 0
        ? "no parameter of that name"
        : `${first + 1}–${Math.min(first + ROWS, rows.length)} of ${rows.length}${order}`;
    for (const head of this.heads) {
      const button = head.firstChild;
      const current = button.dataset.key === this.key;
      button.dataset.arrow = current ? (this.up ? "↑" : "↓") : "";
      head.setAttribute("aria-sort", current ? (this.up ? "ascending" : "descending") : "none");
    }
  }
}
