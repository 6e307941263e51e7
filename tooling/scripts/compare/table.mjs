// A comparison as Markdown: one table per workload, or one of gates.

const HEAD = ["", "old", "new", "ratio", "95 %", "old against old", "verdict"];
const GATE_HEAD = ["", "old", "new", "", "ratio", "interval", "old against old", "at most", "verdict"];
/** Columns of texts; the others have numbers. */
const TEXTS = ["", "verdict"];

/** @param outcomes of the chapter's rows: judged ones, or `{ remark }`. */
export function tableOf({ number, does, piece }, rows, outcomes) {
  const lines = rows.map(({ label, pieces }, at) => [label, ...cellsOf(outcomes[at], pieces)]);
  return [`${number}: ${does}.\n`, markdownOf(HEAD, [[`ns a ${piece}`, ...HEAD.slice(1)], ...lines])].join(
    "\n",
  );
}

/** The same for gates: each row has its unit, its limit, and whether it is reached. */
export function gateTableOf({ number, does }, rows, outcomes) {
  const lines = rows.map((row, at) => [row.label, ...gateCellsOf(row, outcomes[at])]);
  return [`${number}: ${does}.\n`, markdownOf(GATE_HEAD, [GATE_HEAD, ...lines])].join("\n");
}

function markdownOf(head, lines) {
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const isNumber = (column) => !TEXTS.includes(head[column]);
  const pad = (cell, column) =>
    isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
  const textOf = (line) => `| ${line.map(pad).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [textOf(lines[0]), textOf(rule), ...lines.slice(1).map(textOf)].join("\n");
}

function cellsOf({ remark, times, judged }, pieces) {
  if (remark !== undefined) return ["", "", "", "", "", remark];
  const { verdict } = judged;
  return [
    nanoseconds(times.old / pieces),
    nanoseconds(times.new / pieces),
    ...ratioCellsOf(judged),
    verdict === "noise" ? verdict : `**${verdict}**`,
  ];
}

const ratioCellsOf = ({ ratio, interval, control }) => [
  ratio.toFixed(3),
  between(interval),
  between(control),
];

function gateCellsOf({ pieces, gate }, { remark, times, judged }) {
  if (remark !== undefined) return ["", "", "", "", "", "", limitOf(gate), remark];
  const isBytes = gate.mode === "bytes";
  const numberOf = (total) => (isBytes ? (total / pieces).toFixed(1) : nanoseconds(total / pieces));
  return [
    numberOf(times.old),
    numberOf(times.new),
    `${isBytes ? "bytes" : "ns"} a ${gate.piece}`,
    ...ratioCellsOf(judged),
    limitOf(gate),
    verdictOf(gate, (times.new * 1e6) / pieces, judged),
  ];
}

function limitOf({ limit, most }) {
  if (limit !== undefined) return limit.toFixed(2);
  return most === undefined ? "" : `${(most / 1e3).toLocaleString("en")} us`;
}

/**
 * The ratio decides; what exceeds the limit by no more than the same commit differs from itself is in doubt. Limits in microseconds
 * are compared with the median.
 */
export function verdictOf({ limit, most }, time, { ratio, interval: [low, high], control: [less, more] }) {
  if (most !== undefined) return time <= most ? "reached" : "**not reached**";
  if (limit === undefined) return "reported";
  if (Number(ratio.toFixed(2)) <= limit) return high <= limit ? "reached" : "reached, in doubt";
  return low <= limit * Math.max(more, 1 / less) ? "in doubt" : "**not reached**";
}

const between = ([low, high]) => `${low.toFixed(3)} to ${high.toFixed(3)}`;

function nanoseconds(milliseconds) {
  const value = milliseconds * 1e6;
  return value.toLocaleString("en", { maximumSignificantDigits: value < 1_000 ? 3 : 4 });
}
