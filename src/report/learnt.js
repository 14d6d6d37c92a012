// What the sampler learnt: the history of its adaptation, L, and L L^T beside the posterior.
// Titles by name; what an adapter records under another name is shown under that name.
const HISTORIES = {
  acceptance: "Acceptance",
  step: "Step",
  log_determinant: "log |L|",
  beta: "β, weight of the entropy",
  objective: "Objective (speed measure)",
};

const batchNames = run =>
  run.learnt.batches.map((_, b) =>
    run.learnt.batches.length === run.chains ? `chain ${b + 1}` : `batch ${b + 1}`,
  );

function historyFigures(run) {
  const names = batchNames(run);
  const recorded = run.learnt.batches.flatMap(batch => Object.keys(batch.trace.recorded));
  const keys = new Set(["acceptance", "step", "log_determinant", ...recorded]);
  return [...keys].flatMap(key => {
    const title = HISTORIES[key] ?? key;
    const lines = run.learnt.batches.flatMap(({ trace }, b) =>
      (trace.recorded[key] ?? trace[key] ?? []).map((y, r) => ({
        x: trace.iteration[r],
        y,
        series: names[b],
      })),
    );
    const values = lines.map(point => point.y).filter(y => y !== null);
    if (values.every(y => y === values[0])) return []; // nothing was learnt
    return [
      figure(title, { spec: "history", height: 170, data: { lines }, signals: { series: names } }),
    ];
  });
}

const namesOfCoordinates = run =>
  range(run.learnt.batches[0].diagonal.length).map(i => run.table.name[i] ?? String(i + 1));

function diagonalFigure(run) {
  const names = batchNames(run);
  const points = run.learnt.batches.flatMap((batch, b) =>
    batch.diagonal.map((y, i) => ({
      x: i + 1,
      y,
      series: names[b],
      name: run.table.name[i] ?? String(i + 1),
    })),
  );
  return figure("Diagonal of L", {
    spec: "diagonal",
    span: "full",
    height: 220,
    data: { points },
    signals: { series: names, names: namesOfCoordinates(run) },
  });
}

/// Of factors of low rank: the variance along each direction, beside 1 along all others.
function eigenvalueFigures(run) {
  const names = batchNames(run);
  const points = run.learnt.batches.flatMap((batch, b) =>
    (batch.lists.eigenvalues ?? []).map((y, j) => ({
      x: j + 1,
      y,
      series: names[b],
      name: `direction ${j + 1}`,
    })),
  );
  if (points.length === 0) return [];
  return [
    figure("Eigenvalues, scales apart", {
      spec: "eigenvalues",
      span: "full",
      height: 220,
      data: { points },
      signals: { series: names },
    }),
  ];
}

/// n x n numbers, scaled; as correlations where asked.
function matrixOf(text, scale, correlate) {
  const values = Array.from(decode(text, Float32Array), v => v * scale);
  const n = Math.round(Math.sqrt(values.length));
  if (!correlate) return { n, values };
  const sd = range(n).map(i => Math.sqrt(values[i * n + i]));
  return { n, values: values.map((v, k) => v / sd[Math.floor(k / n)] / sd[k % n]) };
}

function heatFigure(run, title, { n, values }, limit, note) {
  const shown = run.learnt.shown.map(i => run.table.name[i] ?? String(i + 1));
  return figure(title, {
    spec: "heat_map",
    span: "half",
    height: width => Math.min(width * 0.86, 440),
    note,
    data: { grid: [{ width: n, height: n, values }] },
    signals: { names: shown, limit },
  });
}

const whyNotCompared = run =>
  run.learnt.batches[0].diagonal.length === run.table.name.length &&
  !run.facts.target_settings.raw &&
  run.learnt.warp.length === 0
    ? "The parameters are too many to be compared with the draws."
    : "The sampler learnt in other coordinates than those of the draws.";

function heatMaps(run, b, correlate, place) {
  forget(place);
  const { batches, posterior, shown } = run.learnt;
  const batch = batches[b];
  const learnt = matrixOf(batch.covariance, correlate ? 1 : (batch.scale ?? 1), correlate);
  const found = posterior === null ? null : matrixOf(posterior, 1, correlate);
  const sizes = [...learnt.values, ...(found?.values ?? [])].map(Math.abs).filter(Number.isFinite);
  const limit = correlate ? 1 : sizes.reduce((a, v) => Math.max(a, v), 0);
  const words = correlate ? "correlation" : "covariance";
  const scaled = !correlate && batch.scale ? `times ${number(batch.scale)}` : "";
  place.append(heatFigure(run, `Learnt: L Lᵀ as ${words}`, learnt, limit, scaled));
  if (found) place.append(heatFigure(run, `Draws: posterior ${words}`, found, limit, ""));
  else place.append(none(whyNotCompared(run)));
  if (shown.length < batch.diagonal.length) {
    place.append(
      element(
        "p",
        { class: "hint" },
        `Every ${Math.ceil(batch.diagonal.length / shown.length)}th parameter is shown.`,
      ),
    );
  }
}

const DISTANCES = [
  "",
  "L",
  "step",
  "log |L|",
  "best scale",
  "distance, covariance",
  "distance, correlation",
];

function distanceTable(run) {
  const rows = run.learnt.batches.map((batch, b) => [
    batchNames(run)[b],
    batch.kind,
    number(batch.step),
    number(batch.log_determinant),
    number(batch.scale),
    ratio(batch.distance ?? null),
    ratio(batch.correlation_distance ?? null),
  ]);
  return plainTable("distances", DISTANCES, rows);
}

/// The heat maps with their controls: covariance or correlation, of which batch.
function chosenMaps(run) {
  const maps = element("div", { class: "grid" });
  const state = { batch: 0, correlate: true };
  const kinds = ["correlation", "covariance"].map(text =>
    element(
      "button",
      { type: "button", onclick: () => show({ correlate: text === "correlation" }) },
      text,
    ),
  );
  const pick = element(
    "select",
    { "aria-label": "Batch", onchange: () => show({ batch: +pick.value }) },
    batchNames(run).map((name, b) => element("option", { value: b }, name)),
  );
  function show(change) {
    Object.assign(state, change);
    kinds.forEach((button, k) =>
      button.setAttribute("aria-pressed", String(state.correlate === (k === 0))),
    );
    heatMaps(run, state.batch, state.correlate, maps);
  }
  show({});
  const several = run.learnt.batches.length > 1;
  return [element("div", { class: "controls" }, kinds, several ? pick : null), maps];
}

const DISTANCE =
  "Distance: the least of ‖c L Lᵀ − S‖ / ‖S‖ (Frobenius) over the scale c, where S is the " +
  "covariance of the draws; 0 where the shapes are the same, 1 where nothing is in common.";

const MOST_MEMBERS = 40;

/// Of what a driver moves: name and share of each, those above all others first.
function memberTable({ driver, members }, l) {
  const sorted = [...members].sort((a, b) => b[1] - a[1]);
  const rows = sorted.slice(0, MOST_MEMBERS).map(([name, share]) => [name, ratio(share)]);
  const more = members.length - rows.length;
  return [
    plainTable(`warp-members-${l}`, [`moved by ${driver}`, "how centred"], rows),
    more > 0 ? element("p", { class: "hint" }, `and ${more} more, less centred`) : null,
  ];
}

const WARP =
  "The sampler moved in coordinates without the neck of a funnel. Given a driver d (of a positive " +
  "parameter its log) the precision of what it moves has a part with exp(exponent · d). How " +
  "centred: 1, the driver alone scales it; 0, the data fix it.";

/// The change of variables, driver by driver; nothing where there was none.
function warpTables(run) {
  const { warp } = run.learnt;
  if (warp.length === 0) return [];
  const rows = warp.map(({ driver, exponent, members, centring }) => [
    driver,
    number(exponent),
    count(members.length),
    [Math.min(...centring), Math.max(...centring)].map(ratio).join(" to "),
  ]);
  return [
    element("h3", {}, "The change of variables"),
    element("p", { class: "hint" }, WARP),
    plainTable("warp", ["driver", "exponent", "moves", "its directions: how centred"], rows),
    ...warp.flatMap(memberTable),
  ];
}

function learntSection(run) {
  if (run.learnt === null) {
    return [none("The file does not hold what the sampler learnt; NetCDF files do.")];
  }
  const history = historyFigures(run);
  return [
    history.length > 0
      ? element("div", { class: "grid" }, history)
      : none("The file holds no history of the adaptation."),
    ...warpTables(run),
    element("h3", {}, "The factor L"),
    element("div", { class: "grid" }, diagonalFigure(run), eigenvalueFigures(run)),
    element("h3", {}, "L Lᵀ beside the posterior"),
    element("p", { class: "hint" }, DISTANCE),
    distanceTable(run),
    chosenMaps(run),
  ];
}
