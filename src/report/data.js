// The data of the page: decoding, numbers as text, elements.
const report = JSON.parse(document.getElementById("data").textContent);

function decode(text, Type) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Type(bytes.buffer);
}

const MISSING = 65535;
const decoded = new Map();
function array(run, key, Type) {
  const at = `${report.runs.indexOf(run)}/${key}`;
  if (!decoded.has(at)) decoded.set(at, decode(run.pictures[key], Type));
  return decoded.get(at);
}

/// Draw i of the thinned ones, of parameter j and chain c; null where it is not finite.
function drawOf(run, j, c, i) {
  const p = run.pictures;
  const code = array(run, "draws", Uint16Array)[(j * run.chains + c) * p.count + i];
  return unquantise(p, j, code);
}

function unquantise(pictures, j, code) {
  if (code === MISSING) return null;
  const share = code / 65534;
  return pictures.low[j] * (1 - share) + pictures.high[j] * share;
}

/// Estimated density of chain c at the grid points of parameter j, as {x, y}.
function densityOf(run, j, c) {
  const p = run.pictures,
    n = p.density_points;
  const codes = array(run, "density", Uint16Array);
  return Array.from({ length: n }, (_, i) => ({
    x: p.density_from[j] + ((p.density_to[j] - p.density_from[j]) * i) / (n - 1),
    y: (codes[(j * run.chains + c) * n + i] / 65534) * p.density_top[j],
  }));
}

function meanDensity(run, j) {
  const curves = range(run.chains).map(c => densityOf(run, j, c));
  return curves[0].map((point, i) => ({
    x: point.x,
    y: curves.reduce((sum, curve) => sum + curve[i].y, 0) / curves.length,
  }));
}

const extent = values =>
  values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
const range = n => Array.from({ length: n }, (_, i) => i);

/// Four significant digits; null is a dash.
function number(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(2).replace("-", "−");
  const text = size >= 1000 ? value.toFixed(0) : value.toPrecision(4);
  return text.replace("-", "−");
}
const count = value => (value === null ? "–" : Math.round(value).toLocaleString("en-US"));
/// A rate: as a count from a thousand on.
const rate = value => (value >= 1000 ? count(value) : number(value));
const ratio = value => (value === null ? "–" : value.toFixed(3));
const seconds = value =>
  value < 1
    ? `${+value.toPrecision(2)} s`
    : value < 120
      ? `${value.toFixed(1)} s`
      : value < 7200
        ? `${(value / 60).toFixed(1)} min`
        : `${(value / 3600).toFixed(1)} h`;

/// An element; text children are text, whatever they hold.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (value !== false && value !== null)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(child => child !== null));
  return node;
}

const none = text => element("p", { class: "none" }, text);

/// heads: texts; rows: arrays of cells, each a text, an element or {text, bad}; attributes by row.
function plainTable(id, heads, rows, attributes = () => ({})) {
  const head = heads.map(text => element("th", { class: "plain", scope: "col" }, text));
  const cell = content =>
    element("td", { class: content.bad ? "bad" : "" }, content.text ?? content);
  const body = rows.map((cells, r) => element("tr", attributes(r), cells.map(cell)));
  const table = element("table", { id }, element("thead", {}, element("tr", {}, head)));
  table.append(element("tbody", {}, body));
  return element("div", { class: "scroll" }, table);
}
