// A comparison as Markdown: one table per workload.

const HEAD = ["", "old", "new", "ratio", "95 %", "old against old", "verdict"];

/** @param outcomes of the chapter's rows: judged ones, or `{ remark }`. */
export function tableOf({ number, does, piece }, rows, outcomes) {
  const lines = rows.map(({ label, pieces }, at) => [label, ...cellsOf(outcomes[at], pieces)]);
  const all = [[`ns a ${piece}`, ...HEAD.slice(1)], ...lines];
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const isNumber = (column) => column > 0 && column < HEAD.length - 1;
  const pad = (cell, column) =>
    isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
  const textOf = (line) => `| ${line.map(pad).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [`${number}: ${does}.\n`, textOf(all[0]), textOf(rule), ...all.slice(1).map(textOf)].join("\n");
}

function cellsOf({ remark, times, judged }, pieces) {
  if (remark !== undefined) return ["", "", "", "", "", remark];
  const { ratio, interval, control, verdict } = judged;
  return [
    nanoseconds(times.old / pieces),
    nanoseconds(times.new / pieces),
    ratio.toFixed(3),
    between(interval),
    between(control),
    verdict === "noise" ? verdict : `**${verdict}**`,
  ];
}

const between = ([low, high]) => `${low.toFixed(3)} to ${high.toFixed(3)}`;

function nanoseconds(milliseconds) {
  const value = milliseconds * 1e6;
  return value.toLocaleString("en", { maximumSignificantDigits: value < 1_000 ? 3 : 4 });
}
