// A loader for Vega's modules (asynchronous module definition), all in one file.
// Vega: (c) 2015-2021 University of Washington Interactive Data Lab, BSD-3-Clause; its expression
// parser is based on Esprima (BSD-2-Clause); it includes d3, (c) Mike Bostock, ISC.
let current = "";
const modules = { "d3-geo-projection": {} }; // maps, which the report does not draw
function define(needs, factory) {
  const exports = {};
  modules[current] = exports;
  if (current === "vega-selection") modules["vega-selections"] = exports;
  factory(...needs.map(name => (name === "exports" ? exports : modules[name])));
}
define.amd = true;

function assemble() {
  const names = ["encode", "transforms", "view-transforms", "geo"];
  Object.assign(modules["vega-dataflow"].transforms, ...names.map(n => modules[`vega-${n}`]));
  const { View } = modules["vega-view"];
  const { parse } = modules["vega-parser"];
  const { changeset } = modules["vega-dataflow"];
  return { View, parse, changeset };
}
