// The top of a run: verdict, efficiency, facts.
const chainNames = run => range(run.chains).map(c => String(c + 1));

function verdictBox(run) {
  const { sound, findings, words } = run.verdict;
  return element(
    "div",
    { class: `verdict${sound ? "" : " unsound"}` },
    element("strong", {}, words),
    findings.length === 0
      ? null
      : element(
          "ul",
          {},
          findings.map(f =>
            element(
              "li",
              { class: f.serious ? "serious" : "" },
              f.what,
              element("span", {}, f.advice),
            ),
          ),
        ),
  );
}

function tiles(run) {
  const { worst, per_second, per_gradient, rhat } = run.efficiency;
  const tile = (value, label) =>
    element("div", { class: "tile" }, element("b", {}, value), element("span", {}, label));
  return element(
    "div",
    { class: "tiles" },
    tile(count(worst), "worst ESS"),
    tile(rate(per_second), "worst ESS per second"),
    tile(per_gradient === null ? "–" : number(1000 * per_gradient), "per 1000 gradients"),
    tile(ratio(rhat), "largest R-hat"),
    tile(ratio(run.facts.accept), "acceptance"),
    tile(count(run.facts.divergences), "divergent transitions"),
  );
}

function facts(run) {
  const f = run.facts;
  const cost = ([warmup, sampling], text) =>
    warmup + sampling > 0 ? `${text(warmup + sampling)} (${text(warmup)} + ${text(sampling)})` : "–";
  const rows = [
    ["target", f.target || "unknown"],
    ["sampler", f.sampler || "unknown"],
    ["parameters", count(run.table.name.length)],
    ["chains", f.lanes > 1 ? `${f.chains}, ${f.lanes} in lockstep` : String(f.chains)],
    ["warm-up, each", count(f.warmup)],
    ["draws, each", count(run.draws)],
    ["time", cost(f.seconds, seconds)],
    f.gradients[0] + f.gradients[1] > 0 ? ["gradients", cost(f.gradients, count)] : null,
    f.densities[0] + f.densities[1] > 0 ? ["densities alone", cost(f.densities, count)] : null,
    f.bad_points > 0 ? ["points without density", count(f.bad_points)] : null,
    f.stopped_by ? ["stopped by", f.stopped_by] : null,
    ["seed", f.seed],
    ["reported by", `gadwall ${report.version}`],
  ];
  return list(rows.filter(Boolean));
}

const list = rows =>
  element(
    "dl",
    { class: "facts" },
    rows.map(([term, value]) =>
      element("div", {}, element("dt", {}, term), element("dd", {}, value)),
    ),
  );

function command(run) {
  const text = run.facts.command;
  if (!text) return none("The file does not say which command repeats this run.");
  const copy = element(
    "button",
    {
      type: "button",
      onclick: async () => {
        await navigator.clipboard?.writeText(text);
        copy.textContent = "copied";
      },
    },
    "copy",
  );
  return element("div", { class: "command" }, element("code", {}, text), copy);
}

function overview(run) {
  const f = run.facts;
  const settings = Object.entries(f.settings);
  return [
    element(
      "h1",
      {},
      f.target || run.name,
      element("small", {}, f.sampler ? `  by ${f.sampler}` : ""),
    ),
    element(
      "p",
      { class: "lead" },
      `${f.chains} chain${f.chains === 1 ? "" : "s"} of ${count(run.draws)} draws after ` +
        `${count(f.warmup)} iterations of warm-up, from ${run.name}`,
    ),
    f.statement ? element("p", { class: "lead", id: "statement" }, f.statement) : null,
    verdictBox(run),
    tiles(run),
    facts(run),
    command(run),
    settings.length === 0
      ? null
      : element("details", {}, element("summary", {}, "All settings"), list(settings)),
  ].filter(Boolean);
}
