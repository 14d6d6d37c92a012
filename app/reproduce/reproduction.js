// The page of a reproduction: tables beside the paper's, and its figures.
const page = document.getElementById("page");

const ours = cell =>
  cell.paper === ""
    ? cell.ours
    : element(
        "span",
        {},
        cell.ours,
        element("br"),
        element("small", { style: "color: var(--soft)" }, cell.paper),
      );

function resultTable({ heads, rows, notes }) {
  const cells = rows.map(row => [row.title, String(row.repeats), ...row.cells.map(ours)]);
  return [
    plainTable(null, heads, cells),
    element("p", { class: "hint" }, notes.join(" ")),
  ];
}

function overviewTable({ heads, rows, note }) {
  return [
    plainTable(null, heads, rows.map(row => [row.title, ...row.cells])),
    element("p", { class: "hint" }, note),
  ];
}

/// {series, x, y} with arrays as the records that a plot takes.
const records = sets =>
  sets.flatMap(({ series, x, y }) =>
    x.map((at, i) => ({ x: at, y: y[i], series, name: `${series}, ${at}` })),
  );

function resultFigure(f) {
  const data = {};
  const signals = { limit: f.limit };
  if (f.lines) data.lines = records(f.lines);
  if (f.points) data.points = records(f.points);
  if (f.warmup) data.bands = [{ from: 0, to: f.warmup }];
  if (f.grid) {
    data.grid = [f.grid];
    signals.names = range(f.grid.width).map(i => String(i + 1));
  }
  signals.series = (f.lines ?? f.points ?? []).map(set => set.series);
  const square = f.shape === "square";
  const height = square ? width => Math.min(width * 0.86, 440) : 190;
  return figure(f.title, {
    spec: f.spec,
    note: f.note,
    span: square ? "half" : "",
    height,
    data,
    signals,
  });
}

const sectionOf = s =>
  element(
    "section",
    {},
    element("h2", {}, s.title),
    s.hint ? element("p", { class: "hint" }, s.hint) : null,
    s.table ? resultTable(s.table) : null,
    s.overview ? overviewTable(s.overview) : null,
    s.figures ? element("div", { class: "grid" }, s.figures.map(resultFigure)) : null,
  );

const LEAD =
  "Titsias & Dellaportas, Gradient-based Adaptive Markov Chain Monte Carlo (NeurIPS 2019): its " +
  "experiments with its settings. In a table, what it printed stands below ours, with ours divided " +
  "by it.";

const parts = report.subjects.map(subject =>
  element("div", { id: subject.name }, subject.sections.map(sectionOf)),
);
document.getElementById("runs").append(
  ...report.subjects.map((subject, i) =>
    element(
      "button",
      { type: "button", onclick: () => parts[i].scrollIntoView({ behavior: "smooth" }) },
      subject.name,
    ),
  ),
);
page.append(
  element("h1", {}, "The paper, reproduced"),
  element("p", { class: "lead" }, LEAD),
  ...parts,
);
