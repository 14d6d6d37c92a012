// Colours, light and dark, and what Vega needs to know of them. The series are those of Okabe and
// Ito (2008), which colour-blind readers tell apart, a little darker on paper.
const THEMES = {
  light: {
    ink: "#1d2327",
    soft: "#5d676e",
    grid: "#eceae5",
    line: "#c9c5bc",
    paper: "#ffffff",
    mark: "#a63603",
    series: [
      "#0072b2",
      "#d55e00",
      "#009e73",
      "#cc79a7",
      "#56b4e9",
      "#b8860b",
      "#5b4a9c",
      "#3c3c3c",
    ],
    diverging: ["#7b3294", "#b98cc4", "#e4d3e8", "#f7f6f4", "#cfe6d2", "#74b98a", "#00763b"],
    heat: ["#ffffff", "#1d2327"],
  },
  dark: {
    ink: "#e4e7e8",
    soft: "#a3adb3",
    grid: "#282f34",
    line: "#4a545b",
    paper: "#1b2024",
    mark: "#ffb48a",
    series: [
      "#56b4e9",
      "#e69f00",
      "#2bc499",
      "#e38fc0",
      "#f0e442",
      "#e8743b",
      "#a99bf0",
      "#d0d5d8",
    ],
    diverging: ["#dca3ea", "#9a5fab", "#4f3658", "#20262a", "#264a37", "#3f8f60", "#8fe0ac"],
    heat: ["#14181b", "#f2f4f5"],
  },
};
let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

const FONT = 'system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif';

const axisStyle = t => ({
  labelColor: t.soft,
  titleColor: t.soft,
  gridColor: t.grid,
  domainColor: t.line,
  tickColor: t.line,
  grid: true,
  labelFont: FONT,
  titleFont: FONT,
  labelFontSize: 11,
  titleFontSize: 11,
  titleFontWeight: "normal",
  tickSize: 4,
  labelPadding: 4,
  titlePadding: 6,
  labelLimit: 90,
  titleLimit: 320,
  labelOverlap: true,
});

const legendStyle = t => ({
  labelColor: t.soft,
  labelFont: FONT,
  labelFontSize: 11,
  labelLimit: 160,
  gradientLength: 120,
});

/// By the names that the specifications give their marks.
const markStyles = t => ({
  series: { strokeWidth: 1.1, strokeOpacity: 0.85, strokeJoin: "round" },
  band: { fill: t.soft, fillOpacity: 0.1 },
  level: { stroke: t.soft, strokeWidth: 1 },
  interval: { stroke: t.series[0], strokeWidth: 2.4, strokeCap: "round" },
  interval_dot: { fill: t.series[0], size: 58, stroke: t.paper, strokeWidth: 1 },
  bar: { fillOpacity: 0.75 },
  dot: { size: 26, fillOpacity: 0.85, stroke: null },
  cloud: { size: 9, fillOpacity: 0.4, stroke: null },
  marked: { size: 46, fill: t.mark, stroke: t.paper, strokeWidth: 0.6 },
  contour: { stroke: t.soft, strokeWidth: 1, fill: null },
  told: { fill: t.soft, font: FONT, fontSize: 11, fontWeight: "normal" },
});

function configuration() {
  const t = THEMES[theme];
  return {
    background: t.paper,
    axis: axisStyle(t),
    axisBottom: { grid: false },
    axisLeft: { domain: false, ticks: false },
    legend: legendStyle(t),
    style: markStyles(t),
    range: { category: t.series, diverging: t.diverging, heatmap: t.heat },
  };
}
