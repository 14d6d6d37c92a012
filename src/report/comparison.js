// Several runs: what each cost and gave, and whether their means agree.
function runLabels() {
  const plain = report.runs.map(run => run.name);
  return plain.map((name, i) => (plain.indexOf(name) === i ? name : `${name} (${i + 1})`));
}

const EFFICIENCY = [
  "run",
  "verdict",
  "sampler",
  "parameters",
  "chains × draws",
  "time",
  "gradients",
  "worst ESS",
  "per second",
  "per 1000 gradients",
  "R-hat",
];

function efficiencyRow(run, r) {
  const { facts: f, efficiency: e, verdict } = run;
  return [
    element("strong", {}, runLabels()[r]),
    { text: verdict.sound ? "sound" : "not sound", bad: !verdict.sound },
    f.sampler,
    count(run.table.name.length),
    `${run.chains} × ${count(run.draws)}`,
    seconds(f.seconds[0] + f.seconds[1]),
    count(f.gradients[0] + f.gradients[1]),
    count(e.worst),
    rate(e.per_second),
    e.per_gradient === null ? "–" : number(1000 * e.per_gradient),
    ratio(e.rhat),
  ];
}

const efficiencyTable = open =>
  plainTable("comparison", EFFICIENCY, report.runs.map(efficiencyRow), r => ({
    class: "choosable",
    onclick: () => open(r),
  }));

/// Parameters by the largest difference between any run and the first.
function byDifference() {
  const worst = new Map();
  for (const { base, z } of report.comparison) {
    base.forEach((j, k) => worst.set(j, Math.max(worst.get(j) ?? 0, Math.abs(z[k] ?? 0))));
  }
  return [...worst].sort((a, b) => b[1] - a[1]).map(([j]) => j);
}

function overlayFigure(j) {
  const labels = runLabels();
  const lines = report.runs.flatMap((run, r) => {
    const match =
      r === 0 ? j : report.comparison[r - 1].other[report.comparison[r - 1].base.indexOf(j)];
    return match === undefined
      ? []
      : meanDensity(run, match).map(point => ({ ...point, series: labels[r] }));
  });
  const zs = report.comparison
    .map(({ base, z }) => z[base.indexOf(j)])
    .map(z => `z = ${number(z ?? null)}`);
  return figure(report.runs[0].table.name[j], {
    spec: "overlay",
    height: 200,
    data: { lines },
    signals: { series: labels },
    note: zs.join(", "),
  });
}

/// What must be known before means are compared; empty where nothing stands in the way.
function objections() {
  const labels = runLabels();
  const unsound = labels.filter((_, r) => !report.runs[r].verdict.sound);
  const target = run => JSON.stringify([run.facts.target, run.facts.target_settings]);
  const names = report.runs.map((run, r) => `${labels[r]}: ${run.facts.target || "unknown"}`);
  const differ = report.runs.some(run => target(run) !== target(report.runs[0]));
  return [
    unsound.length === 0
      ? null
      : `Not sound: ${unsound.join(", ")}. Standard errors of such a run are too small or too large, ` +
        "so small differences do not mean that the runs agree.",
    differ
      ? `The targets are not the same, or were given other data or settings (${names.join("; ")}): ` +
        "parameters of one name may be different things."
      : null,
  ].filter(Boolean);
}

const OVERLAYS = 6;
function comparisonSection(open) {
  const labels = runLabels();
  const order = byDifference();
  const points = report.comparison
    .flatMap(({ base, z }, r) =>
      base.map((j, k) => ({
        x: j + 1,
        y: z[k],
        series: labels[r + 1],
        name: report.runs[0].table.name[j],
      })),
    )
    .filter(p => p.y !== null);
  const parts = [element("h1", {}, `${report.runs.length} runs compared`), efficiencyTable(open)];
  if (points.length === 0) return [...parts, none("The runs have no parameter of the same name.")];
  const objecting = objections();
  const far = points.filter(p => Math.abs(p.y) > 3).length;
  return [
    ...parts,
    element("h2", {}, objecting.length > 0 ? "How far are they apart?" : "Do they agree?"),
    ...objecting.map(text => element("p", { class: "none objection" }, text)),
    element(
      "p",
      { class: "hint" },
      `Difference of the means from ${labels[0]}, in its standard errors; beyond ±3 here: ` +
        `${far} of ${points.length}.` +
        (objecting.length > 0
          ? ""
          : " Where the runs agree, about one in twenty lies outside the dashed lines at ±2."),
    ),
    element(
      "div",
      { class: "grid" },
      figure("Standardised differences of means", {
        spec: "differences",
        span: "full",
        height: 240,
        data: { points, levels: [{ y: -2 }, { y: 2 }] },
        signals: { series: labels.slice(1), names: report.runs[0].table.name },
      }),
      order.slice(0, OVERLAYS).map(overlayFigure),
    ),
    order.length > OVERLAYS
      ? element("p", { class: "hint" }, `Densities of the ${OVERLAYS} parameters that differ most.`)
      : null,
  ].filter(Boolean);
}
