// How the run came to its draws: its stages, what each cost and what was found at their meetings.

/// Notes are tables written one row after the other: the same names again begin the next row.
function noteRows(notes) {
  const rows = [];
  for (const [name, value] of notes) {
    if (rows.length === 0 || name in rows.at(-1)) rows.push({});
    rows.at(-1)[name] = value;
  }
  return rows;
}

function stageFindings(stage, s) {
  const rows = noteRows(stage.notes);
  if (rows.length === 0) return [];
  const heads = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const cell = value =>
    value === undefined ? "" : typeof value === "number" ? number(value) : (value ?? "–");
  return [
    element("h3", {}, stage.name),
    plainTable(`stage-${s}`, heads, rows.map(row => heads.map(head => cell(row[head])))),
  ];
}

function stagesSection(run) {
  if (run.stages.length < 3) return [];
  const rows = run.stages.map(stage => [stage.name, count(stage.iterations), count(stage.gradients)]);
  return [
    section(
      "stages",
      "How it came to these draws",
      "Iterations of each chain, gradients of all.",
      element(
        "div",
        {},
        plainTable("stage-costs", ["stage", "iterations", "gradients"], rows),
        ...run.stages.flatMap(stageFindings),
      ),
    ),
  ];
}
