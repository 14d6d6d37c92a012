// Figures: a card with a title, a Vega view that follows width and theme, and buttons to save it.
const figures = new Set();

/// settings: spec, height (or a function of the width), data {name: rows}, signals, span, note.
function figure(title, settings) {
  const plot = element("div", { class: "plot" });
  const save = element(
    "span",
    { class: "save" },
    ...["SVG", "PNG"].map(kind =>
      element(
        "button",
        {
          type: "button",
          title: `Save as ${kind}`,
          onclick: () => saveFigure(card, title, kind),
        },
        kind,
      ),
    ),
  );
  const card = element(
    "figure",
    { class: settings.span ?? "" },
    element(
      "figcaption",
      {},
      element("span", {}, title),
      settings.note ? element("small", {}, settings.note) : null,
      save,
    ),
    plot,
  );
  Object.assign(card, { plot, settings });
  const height = heightOf(settings, 320);
  plot.style.minHeight = `${height}px`;
  figures.add(card);
  seen.observe(card);
  return card;
}

const heightOf = ({ height }, width) =>
  typeof height === "function" ? height(width) : (height ?? 190);

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
  card.view = new vega.View(vega.parse(spec, configuration()), {
    renderer: "canvas",
    container: plot,
  });
  card.view.run();
  card.drawn = width;
}

/// Figures are drawn when they come near the window.
const seen = new IntersectionObserver(
  entries => {
    for (const { target, isIntersecting } of entries) {
      target.near = isIntersecting;
      if (isIntersecting && target.drawn !== target.plot.clientWidth) drawFigure(target);
    }
  },
  { rootMargin: "400px" },
);

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
  const link = element("a", {
    download: `${title.replace(/[^\p{L}\p{N}]+/gu, "-")}.${kind.toLowerCase()}`,
  });
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

/// What every page has around its content.
document
  .getElementById("theme")
  .addEventListener("click", () => setTheme(theme === "dark" ? "light" : "dark"));
document.getElementById("footer").textContent =
  `Written by gadwall ${report.version}. Plots by Vega (BSD-3-Clause), which is inside this file.`;
setTheme(theme);
