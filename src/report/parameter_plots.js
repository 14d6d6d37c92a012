// The plots of the chosen parameters, and the log density.
const thinnedNote = run => (run.pictures.every === 1 ? "" : `1 draw in ${run.pictures.every}`);

function tracePoints(run, j) {
  const { every, count: n } = run.pictures;
  return range(run.chains).flatMap(c =>
    range(n).map(i => ({
      x: run.facts.warmup + (i * every + 1) * run.facts.thin,
      y: drawOf(run, j, c, i),
      series: String(c + 1),
    })),
  );
}

function rankBars(run, j) {
  const bins = run.pictures.rank_bins;
  const codes = array(run, "ranks", Uint16Array);
  return range(run.chains).flatMap(c =>
    range(bins).map(b => ({
      x: b,
      y: codes[(j * run.chains + c) * bins + b] / 65534,
      series: String(c + 1),
    })),
  );
}

function autocorrelationLines(run, j) {
  const lags = run.pictures.lags;
  const codes = array(run, "autocorrelation", Int16Array);
  return range(run.chains).flatMap(c =>
    range(lags).map(t => {
      const code = codes[(j * run.chains + c) * lags + t];
      return { x: t, y: code === -32768 ? null : code / 32767, series: String(c + 1) };
    }),
  );
}

function essLines(run, j) {
  const p = run.pictures;
  const line = (values, last, series) =>
    [...p.growth, run.draws].map((n, i) => ({
      x: n * run.chains,
      y: i < p.growth.length ? values[j][i] : last,
      series,
    }));
  return [
    ...line(p.bulk, run.table.ess_bulk[j], "bulk"),
    ...line(p.tail, run.table.ess_tail[j], "tail"),
  ].filter(point => point.y !== null);
}

/// Of heavy tails the densities show the middle.
function outsideNote(run, j) {
  const share = run.pictures.density_outside[j];
  return share > 0 ? `without ${+(100 * share).toPrecision(2)} % in far tails` : "";
}

function parameterFigures(run, j) {
  const series = chainNames(run);
  const densities = range(run.chains).flatMap(c =>
    densityOf(run, j, c).map(point => ({ ...point, series: String(c + 1) })),
  );
  const plain = { series };
  return [
    figure("Trace", {
      spec: "trace",
      span: "wide",
      height: 220,
      data: { lines: tracePoints(run, j) },
      signals: plain,
      note: thinnedNote(run),
    }),
    figure("Density by chain", {
      spec: "density",
      height: 220,
      data: { lines: densities },
      signals: plain,
      note: outsideNote(run, j),
    }),
    figure("Ranks", {
      spec: "ranks",
      height: 220,
      signals: plain,
      note: "flat where chains agree",
      data: { bars: rankBars(run, j), levels: [{ y: 1 / run.pictures.rank_bins }] },
    }),
    figure("Autocorrelation", {
      spec: "autocorrelation",
      height: 220,
      data: { lines: autocorrelationLines(run, j), levels: [{ y: 0 }] },
      signals: plain,
    }),
    figure("ESS against draws", {
      spec: "ess",
      height: 220,
      data: { lines: essLines(run, j), levels: [{ y: run.limits.ess }] },
      signals: { series: ["bulk", "tail"] },
      note: "should grow steadily",
    }),
  ];
}

function pairFigure(run, a, b) {
  const p = run.pictures;
  const every = Math.max(1, Math.ceil((run.chains * p.count) / 3000));
  const points = [];
  for (let k = 0; k < run.chains * p.count; k += every) {
    const c = Math.floor(k / p.count),
      i = k % p.count;
    points.push({ x: drawOf(run, a, c, i), y: drawOf(run, b, c, i), series: String(c + 1) });
  }
  const codes = array(run, "divergent", Uint16Array),
    m = p.divergent_count;
  const marked = range(m).map(i => ({
    x: unquantise(p, a, codes[a * m + i]),
    y: unquantise(p, b, codes[b * m + i]),
  }));
  const names = run.table.name;
  return figure(`${names[a]} and ${names[b]}`, {
    spec: "pair",
    height: width => Math.min(340, width * 0.85),
    data: { points, marked },
    note: m > 0 ? `${m} divergent` : "",
    signals: { series: chainNames(run), x_title: names[a], y_title: names[b] },
  });
}

/// One line per parameter, from the 5 % to the 95 % quantile, the median as a dot.
function forestFigure(run, picked) {
  const t = run.table;
  const intervals = picked
    .filter(j => [t.q05, t.q50, t.q95].every(column => column[j] !== null))
    .map(j => ({ name: t.name[j], low: t.q05[j], middle: t.q50[j], high: t.q95[j] }));
  if (intervals.length === 0) return null;
  return figure("Intervals", {
    spec: "forest",
    span: "full",
    height: 50 + 22 * intervals.length,
    data: { intervals },
    note: "5 % to 95 %, the median as a dot",
  });
}

const MOST_PAIRED = 4;
function chosenPlots(run, chosen, place) {
  forget(place);
  const picked = [...chosen];
  if (picked.length === 0) place.append(none("Choose parameters in the table to see their plots."));
  else place.append(element("div", { class: "grid" }, forestFigure(run, picked)));
  for (const j of picked) {
    place.append(
      element("h3", { class: "parameter" }, run.table.name[j]),
      element("div", { class: "grid" }, parameterFigures(run, j)),
    );
  }
  const paired = picked.slice(-MOST_PAIRED);
  if (paired.length > 1) {
    const pairs = paired.flatMap((a, i) => paired.slice(i + 1).map(b => pairFigure(run, a, b)));
    const last = picked.length > MOST_PAIRED ? ` of the last ${MOST_PAIRED} chosen` : "";
    place.append(element("h3", {}, `Pairs${last}`), element("div", { class: "grid" }, pairs));
  }
}

/// The log densities of the warm-up, where the file has them.
function warmupLines(run) {
  const batches = run.learnt?.batches ?? [];
  const lanes = run.chains / batches.length;
  return batches.flatMap(({ trace }, b) =>
    trace.log_density.flatMap((row, r) =>
      row.map((y, lane) => ({ x: trace.iteration[r], y, series: String(b * lanes + lane + 1) })),
    ),
  );
}

function drawnLines(run) {
  const { every, count: n } = run.pictures;
  const values = decode(run.log_density, Float32Array);
  return range(run.chains).flatMap(c =>
    range(n).map(i => {
      const y = values[c * n + i];
      const x = run.facts.warmup + (i * every + 1) * run.facts.thin;
      return { x, y: Number.isFinite(y) ? y : null, series: String(c + 1) };
    }),
  );
}

function logDensitySection(run) {
  const warmup = warmupLines(run),
    drawn = drawnLines(run);
  const heights = drawn.map(point => point.y).filter(y => y !== null);
  if (heights.every(y => y === 0)) return [none("The file holds no log densities.")];
  // A chain starts far below where it ends: what lies there is drawn at the lower edge.
  const [low, high] = extent(heights);
  const floor = low - 0.6 * (high - low);
  const lines = [...warmup, ...drawn].map(point => ({
    ...point,
    y: point.y === null ? null : Math.max(point.y, floor),
  }));
  const recorded = warmup.length > 0;
  const note = recorded ? "warm-up shaded; what lies far below is drawn at the lower edge" : "";
  const bands = recorded ? [{ from: 0, to: run.facts.warmup }] : [];
  return [
    figure("Log density", {
      spec: "log_density",
      span: "full",
      height: 240,
      note,
      data: { lines, bands },
      signals: { series: chainNames(run) },
    }),
    recorded ? null : none("The file does not hold the log densities of the warm-up."),
  ];
}
