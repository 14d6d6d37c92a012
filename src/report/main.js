// Puts the page together and answers its buttons.
const page = document.getElementById("page");

function section(id, title, hint, content) {
  return element(
    "section",
    { id },
    element("h2", {}, title),
    hint ? element("p", { class: "hint" }, hint) : null,
    content,
  );
}

/// Parameters that start chosen: the three worst.
function firstChoice(run) {
  const worst = run.table.worst;
  const order = range(worst.length).sort((a, b) => (worst[a] ?? -1) - (worst[b] ?? -1) || a - b);
  return new Set(order.slice(0, 3));
}

function showRun(run) {
  forget(page);
  const chosen = firstChoice(run);
  const plots = element("div", { id: "plots" });
  const show = () => chosenPlots(run, chosen, plots);
  page.append(
    ...overview(run),
    section(
      "table",
      "Parameters",
      "Numbers come from all draws. Choose rows to plot them below.",
      new ParameterTable(run, chosen, show).node,
    ),
    section(
      "chosen",
      "Chosen parameters",
      "Traces and pairs are thinned for drawing; all other curves come from all draws.",
      plots,
    ),
    section(
      "log-density",
      "Log density",
      "",
      element("div", { class: "grid" }, logDensitySection(run)),
    ),
    ...stagesSection(run),
    section("learnt", "What the sampler learnt", "", learntSection(run)),
  );
  show();
}

function open(r) {
  for (const button of document.querySelectorAll("#runs button")) {
    button.setAttribute("aria-pressed", String(+button.dataset.run === r));
  }
  if (r >= 0) showRun(report.runs[r]);
  else {
    forget(page);
    page.append(...comparisonSection(open));
  }
  scrollTo(0, 0);
}

if (report.runs.length > 1) {
  const button = (text, r) =>
    element("button", { type: "button", "data-run": r, onclick: () => open(r) }, text);
  document.getElementById("runs").append(button("comparison", -1), ...runLabels().map(button));
}
open(report.runs.length > 1 ? -1 : 0);
