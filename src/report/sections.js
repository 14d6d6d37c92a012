// The verdict with the facts of a run, the plots of the chosen parameters, the log density.
const chainNames = run => range(run.chains).map(c => String(c + 1));

function verdictBox(run) {
  const { sound, findings } = run.verdict;
  const words = sound
    ? `Sound: R-hat at most ${ratio(run.efficiency.rhat)}, worst ESS ${count(run.efficiency.worst)}.`
    : "Not sound: do not rely on these draws yet.";
  return element("div", { class: `verdict${sound ? "" : " unsound"}` }, element("strong", {}, words),
    findings.length === 0 ? null : element("ul", {}, findings.map(f =>
      element("li", { class: f.serious ? "serious" : "" }, f.what, element("span", {}, f.advice)))));
}

function tiles(run) {
  const { worst, per_second, per_gradient, rhat } = run.efficiency;
  const tile = (value, label) => element("div", { class: "tile" }, element("b", {}, value), element("span", {}, label));
  return element("div", { class: "tiles" },
    tile(count(worst), "worst ESS"),
    tile(number(per_second), "worst ESS per second"),
    tile(per_gradient === null ? "–" : number(1000 * per_gradient), "per 1000 gradients"),
    tile(ratio(rhat), "largest R-hat"),
    tile(ratio(run.facts.accept), "acceptance"),
    tile(count(run.facts.divergences), "divergent transitions"));
}

function facts(run) {
  const f = run.facts;
  const cost = ([warmup, sampling], text) =>
    `${text(warmup + sampling)} (${text(warmup)} + ${text(sampling)})`;
  const rows = [
    ["target", f.target || "unknown"], ["sampler", f.sampler || "unknown"],
    ["parameters", count(run.table.name.length)],
    ["chains", f.lanes > 1 ? `${f.chains}, ${f.lanes} in lockstep` : String(f.chains)],
    ["warm-up, each", count(f.warmup)], ["draws, each", count(run.draws)],
    ["time", cost(f.seconds, seconds)],
    f.gradients[0] + f.gradients[1] > 0 ? ["gradients", cost(f.gradients, count)] : null,
    f.densities[0] + f.densities[1] > 0 ? ["densities alone", cost(f.densities, count)] : null,
    f.bad_points > 0 ? ["points without density", count(f.bad_points)] : null,
    f.stopped_by ? ["stopped by", f.stopped_by] : null,
    ["seed", f.seed], ["gadwall", report.version],
  ];
  return list(rows.filter(Boolean));
}

const list = rows => element("dl", { class: "facts" }, rows.map(([term, value]) =>
  element("div", {}, element("dt", {}, term), element("dd", {}, value))));

function command(run) {
  const text = run.facts.command;
  if (!text) return none("The file does not say which command repeats this run.");
  const copy = element("button", { type: "button", onclick: async () => {
    await navigator.clipboard?.writeText(text);
    copy.textContent = "copied";
  } }, "copy");
  return element("div", { class: "command" }, element("code", {}, text), copy);
}

function overview(run) {
  const f = run.facts;
  const settings = Object.entries(f.settings);
  return [
    element("h1", {}, f.target || run.name, element("small", {}, f.sampler ? `  by ${f.sampler}` : "")),
    element("p", { class: "lead" }, `${f.chains} chain${f.chains === 1 ? "" : "s"} of ${count(run.draws)} draws after `
      + `${count(f.warmup)} iterations of warm-up, from ${run.name}`),
    verdictBox(run), tiles(run), facts(run), command(run),
    settings.length === 0 ? null
      : element("details", {}, element("summary", {}, "All settings"), list(settings)),
  ].filter(Boolean);
}

function thinnedNote(run) {
  const { every } = run.pictures;
  return every === 1 ? "" : `every ${every}${["th", "st", "nd", "rd"][every % 100 > 3 && every % 100 < 21 ? 0 : every % 10] ?? "th"} draw`;
}

function tracePoints(run, j) {
  const { every, count: n } = run.pictures;
  return range(run.chains).flatMap(c => range(n).map(i =>
    ({ x: run.facts.warmup + i * every + 1, y: drawOf(run, j, c, i), series: String(c + 1) })));
}

function rankBars(run, j) {
  const bins = run.pictures.rank_bins;
  const codes = array(run, "ranks", Uint16Array);
  return range(run.chains).flatMap(c => range(bins).map(b =>
    ({ x: b, y: codes[(j * run.chains + c) * bins + b] / 65534, series: String(c + 1) })));
}

function autocorrelationLines(run, j) {
  const lags = run.pictures.lags;
  const codes = array(run, "autocorrelation", Int16Array);
  return range(run.chains).flatMap(c => range(lags).map(t => {
    const code = codes[(j * run.chains + c) * lags + t];
    return { x: t, y: code === -32768 ? null : code / 32767, series: String(c + 1) };
  }));
}

function essLines(run, j) {
  const p = run.pictures;
  const line = (values, last, series) => [...p.growth, run.draws].map((n, i) =>
    ({ x: n * run.chains, y: i < p.growth.length ? values[j][i] : last, series }));
  return [...line(p.bulk, run.table.ess_bulk[j], "bulk"), ...line(p.tail, run.table.ess_tail[j], "tail")]
    .filter(point => point.y !== null);
}

function parameterFigures(run, j) {
  const series = chainNames(run);
  const densities = range(run.chains).flatMap(c =>
    densityOf(run, j, c).map(point => ({ ...point, series: String(c + 1) })));
  const plain = { series };
  return [
    figure("Trace", { spec: "trace", span: "wide", height: 220, data: { lines: tracePoints(run, j) }, signals: plain, note: thinnedNote(run) }),
    figure("Density by chain", { spec: "density", height: 220, data: { lines: densities }, signals: plain }),
    figure("Ranks", { spec: "ranks", height: 220, signals: plain, note: "flat where chains agree",
      data: { bars: rankBars(run, j), levels: [{ y: 1 / run.pictures.rank_bins }] } }),
    figure("Autocorrelation", { spec: "autocorrelation", height: 220, data: { lines: autocorrelationLines(run, j), levels: [{ y: 0 }] }, signals: plain }),
    figure("ESS against draws", { spec: "ess", height: 220, data: { lines: essLines(run, j), levels: [{ y: 100 * run.chains }] },
      signals: { series: ["bulk", "tail"] }, note: "should grow steadily" }),
  ];
}

function pairFigure(run, a, b) {
  const p = run.pictures;
  const every = Math.max(1, Math.ceil(run.chains * p.count / 3000));
  const points = [];
  for (let k = 0; k < run.chains * p.count; k += every) {
    const c = Math.floor(k / p.count), i = k % p.count;
    points.push({ x: drawOf(run, a, c, i), y: drawOf(run, b, c, i), series: String(c + 1) });
  }
  const codes = array(run, "divergent", Uint16Array), m = p.divergent_count;
  const marked = range(m).map(i => ({ x: unquantise(p, a, codes[a * m + i]), y: unquantise(p, b, codes[b * m + i]) }));
  const names = run.table.name;
  return figure(`${names[a]} and ${names[b]}`, {
    spec: "pair", height: width => Math.min(340, width * 0.85),
    data: { points, marked }, note: m > 0 ? `${m} divergent` : "",
    signals: { series: chainNames(run), x_title: names[a], y_title: names[b] },
  });
}

const MOST_PAIRED = 4;
function chosenPlots(run, chosen, place) {
  forget(place);
  const picked = [...chosen];
  if (picked.length === 0) place.append(none("Choose parameters in the table to see their plots."));
  for (const j of picked) {
    place.append(element("h3", { class: "parameter" }, run.table.name[j]),
      element("div", { class: "grid" }, parameterFigures(run, j)));
  }
  const paired = picked.slice(-MOST_PAIRED);
  if (paired.length > 1) {
    const pairs = paired.flatMap((a, i) => paired.slice(i + 1).map(b => pairFigure(run, a, b)));
    const last = picked.length > MOST_PAIRED ? ` of the last ${MOST_PAIRED} chosen` : "";
    place.append(element("h3", {}, `Pairs${last}`), element("div", { class: "grid" }, pairs));
  }
}

/// Warm-up from the adaptation's record, where there is one, then the draws.
function logDensitySection(run) {
  const { every, count: n } = run.pictures;
  const values = decode(run.log_density, Float32Array);
  const lines = [];
  const batches = run.learnt?.batches ?? [];
  const lanes = batches.length > 0 ? run.chains / batches.length : 0;
  batches.forEach((batch, b) => batch.trace.log_density.forEach((row, r) => row.forEach((y, lane) =>
    lines.push({ x: batch.trace.iteration[r], y, series: String(b * lanes + lane + 1) }))));
  const recorded = lines.length > 0;
  const start = recorded || run.facts.warmup === 0 ? 0 : run.facts.warmup;
  for (const c of range(run.chains)) {
    for (const i of range(n)) {
      const y = values[c * n + i];
      lines.push({ x: run.facts.warmup + i * every + 1, y: Number.isFinite(y) ? y : null, series: String(c + 1) });
    }
  }
  if (lines.every(point => !point.y)) return [none("The file holds no log densities.")];
  // The first steps of a chain are far below: show what lies above the lowest draws and a bit.
  const ys = lines.filter(point => point.y !== null && point.x > run.facts.warmup).map(point => point.y);
  const low = Math.min(...ys), floor = low - 0.6 * (Math.max(...ys) - low);
  const cut = lines.map(point => ({ ...point, y: point.y !== null && point.y < floor ? floor : point.y }));
  return [
    figure("Log density", { spec: "log_density", span: "full", height: 240, signals: { series: chainNames(run) },
      note: recorded ? "warm-up shaded; what lies far below is drawn at the lower edge" : "after warm-up",
      data: { lines: cut, bands: start === 0 && recorded ? [{ from: 0, to: run.facts.warmup }] : [] } }),
    recorded ? null : none("The file does not hold the log densities of the warm-up."),
  ].filter(Boolean);
}
