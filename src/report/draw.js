// Figures: a card with a title, a Vega view that follows width and theme, and buttons to save it.
const THEMES = {
  light: {
    ink: "#1d2327", soft: "#5d676e", grid: "#eceae5", line: "#c9c5bc", paper: "#ffffff",
    mark: "#a63603",
    series: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b8860b", "#5b4a9c", "#3c3c3c"],
    diverging: ["#7b3294", "#b98cc4", "#e4d3e8", "#f7f6f4", "#cfe6d2", "#74b98a", "#00763b"],
    heat: ["#ffffff", "#1d2327"],
  },
  dark: {
    ink: "#e4e7e8", soft: "#a3adb3", grid: "#282f34", line: "#4a545b", paper: "#1b2024",
    mark: "#ffb48a",
    series: ["#56b4e9", "#e69f00", "#2bc499", "#e38fc0", "#f0e442", "#e8743b", "#a99bf0", "#d0d5d8"],
    diverging: ["#dca3ea", "#9a5fab", "#4f3658", "#20262a", "#264a37", "#3f8f60", "#8fe0ac"],
    heat: ["#14181b", "#f2f4f5"],
  },
};
let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

function configuration() {
  const t = THEMES[theme];
  const font = 'system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif';
  return {
    background: t.paper,
    axis: {
      labelColor: t.soft, titleColor: t.soft, gridColor: t.grid, domainColor: t.line, tickColor: t.line,
      grid: true, labelFont: font, titleFont: font, labelFontSize: 11, titleFontSize: 11,
      titleFontWeight: "normal", tickSize: 4, labelPadding: 4, titlePadding: 6, labelLimit: 90,
      titleLimit: 320, labelOverlap: true,
    },
    axisBottom: { grid: false },
    axisLeft: { domain: false, ticks: false },
    legend: {
      labelColor: t.soft, labelFont: font, labelFontSize: 11, titleFont: font, titleColor: t.soft,
      labelLimit: 160, gradientLength: 120,
    },
    style: {
      series: { strokeWidth: 1.1, strokeOpacity: 0.85, strokeJoin: "round" },
      band: { fill: t.soft, fillOpacity: 0.1 },
      level: { stroke: t.soft, strokeWidth: 1 },
      bar: { fillOpacity: 0.75 },
      dot: { size: 26, fillOpacity: 0.85, stroke: null },
      cloud: { size: 9, fillOpacity: 0.4, stroke: null },
      marked: { size: 46, fill: t.mark, stroke: t.paper, strokeWidth: 0.6 },
      contour: { stroke: t.soft, strokeWidth: 1, fill: null },
      told: { fill: t.soft, font, fontSize: 11, fontWeight: "normal" },
    },
    range: { category: t.series, diverging: t.diverging, heatmap: t.heat },
  };
}

const figures = new Set();

/// settings: spec, height (or a function of the width), data {name: rows}, signals, span, note.
function figure(title, settings) {
  const plot = element("div", { class: "plot" });
  const save = element("span", { class: "save" },
    ...["SVG", "PNG"].map(kind => element("button", {
      type: "button", title: `Save as ${kind}`, onclick: () => saveFigure(card, title, kind),
    }, kind)));
  const card = element("figure", { class: settings.span ?? "" },
    element("figcaption", {}, element("span", {}, title),
      settings.note ? element("small", {}, settings.note) : null, save),
    plot);
  Object.assign(card, { plot, settings });
  const height = heightOf(settings, 320);
  plot.style.minHeight = `${height}px`;
  figures.add(card);
  seen.observe(card);
  return card;
}

const heightOf = ({ height }, width) =>
  (typeof height === "function" ? height(width) : height ?? 190);

/// Draws now: parsing a specification anew is simpler than changing a view, and takes milliseconds.
function drawFigure(card) {
  const { settings, plot } = card;
  const width = plot.clientWidth;
  if (width === 0) return;
  card.view?.finalize();
  const spec = structuredClone(report.specs[settings.spec]);
  spec.width = width;
  spec.height = heightOf(settings, width);
  for (const signal of spec.signals) {
    if (signal.name in (settings.signals ?? {})) signal.value = settings.signals[signal.name];
  }
  for (const set of spec.data) {
    if (settings.data[set.name]) set.values = settings.data[set.name];
  }
  card.view = new vega.View(vega.parse(spec, configuration()), { renderer: "canvas", container: plot });
  card.view.run();
  card.drawn = width;
}

/// Figures are drawn when they come near the window.
const seen = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    target.near = isIntersecting;
    if (isIntersecting && target.drawn !== target.plot.clientWidth) drawFigure(target);
  }
}, { rootMargin: "400px" });

function forget(container) {
  for (const card of container.querySelectorAll("figure")) {
    seen.unobserve(card);
    card.view?.finalize();
    figures.delete(card);
  }
  container.replaceChildren();
}

function redraw({ all }) {
  for (const card of figures) {
    card.drawn = 0;
    if (all || card.near) drawFigure(card);
  }
}

function setTheme(name) {
  theme = name;
  document.documentElement.dataset.theme = name;
  redraw({ all: false });
}

async function saveFigure(card, title, kind) {
  if (!card.view) drawFigure(card);
  const link = element("a", { download: `${title.replace(/[^\p{L}\p{N}]+/gu, "-")}.${kind.toLowerCase()}` });
  if (kind === "SVG") {
    const blob = new Blob([await card.view.toSVG()], { type: "image/svg+xml" });
    link.href = URL.createObjectURL(blob);
  } else {
    link.href = await card.view.toImageURL("png", 3);
  }
  link.click();
}

let waiting = 0;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => redraw({ all: false }), 150);
});
let before = theme;
addEventListener("beforeprint", () => {
  before = theme;
  setTheme("light");
  redraw({ all: true });
});
addEventListener("afterprint", () => setTheme(before));
