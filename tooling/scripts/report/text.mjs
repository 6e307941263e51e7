// How numbers, tables and pictures are written in Markdown.

/** Three digits, or all before the decimal point. */
export function short(number) {
  const digits = number >= 100 || number === 0 ? 0 : number >= 10 ? 1 : 2;
  if (number > 0 && number < 0.1) return number.toLocaleString("en", { maximumSignificantDigits: 2 });
  return number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const whole = (number) => Math.round(number).toLocaleString("en");

/** "0.52 x", "14 x" */
export function ratio(number) {
  const digits = number < 10 ? 2 : number < 100 ? 1 : 0;
  return number < 0.005
    ? "under 0.01 x"
    : `${number.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits })} x`;
}

/** "a node", "an entity" */
export const one = (piece) => `${/^[aeiou]/.test(piece) ? "an" : "a"} ${piece}`;

const UNITS = [
  ["ms", 1e6],
  ["µs", 1e3],
  ["ns", 1],
];

/** The unit in which most of these nanoseconds have few digits: { name, of }. */
export function unitFor(times) {
  const sorted = [...times].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 1;
  const [name, size] = UNITS.find(([, each]) => middle >= 10 * each) ?? UNITS[2];
  return { name, of: (time) => short(time / size) };
}

export function bytes(number) {
  if (number >= 1e6) return `${short(number / 2 ** 20)} MiB`;
  return number >= 10_000 ? `${short(number / 2 ** 10)} KiB` : `${whole(number)} bytes`;
}

/** The reason of a failure, short enough for a cell. */
export function reason(why) {
  const text = why.replaceAll("|", "/").replace(/([\\*_`<[\]])/g, "\\$1");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** A Markdown table with aligned columns; the first ones to the left, the `numbers` last ones to the right. */
export function tableOf(head, lines, numbers = head.length - 1) {
  const rows = [head, ...lines];
  const widths = head.map((_, at) => Math.max(3, ...rows.map((row) => [...(row[at] ?? "")].length)));
  const isNumber = (at) => at >= head.length - numbers;
  const write = (row) =>
    `| ${widths.map((width, at) => pad(row[at] ?? "", width, isNumber(at))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (isNumber(at) ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`;
  return [write(head), rule, ...lines.map(write)].join("\n");
}

function pad(text, width, toRight) {
  const space = " ".repeat(width - [...text].length);
  return toRight ? space + text : text + space;
}

/** One paragraph of sentences, wrapped. */
export function prose(...sentences) {
  const lines = [""];
  for (const word of sentences.join(" ").match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.at(-1);
    if (line.length + word.length >= 118) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

/** Light or dark, like the reader's page. */
export function picture(name, alt) {
  return [
    "<picture>",
    `  <source media="(prefers-color-scheme: dark)" srcset="${name}-dark.svg">`,
    `  <img alt="${alt}" src="${name}-light.svg" width="800">`,
    "</picture>",
  ].join("\n");
}
