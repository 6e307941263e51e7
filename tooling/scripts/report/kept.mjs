// Reads existing pages, so that a report from some results leaves the sections and rows of all others as they are.
import { existsSync, readFileSync } from "node:fs";

const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** The parts of a text below headings of one level: [{ heading, text }], each text without its heading. */
function partsOf(text, level) {
  const mark = `\n${"#".repeat(level)} `;
  return `\n${text}`
    .split(mark)
    .slice(1)
    .map((part) => {
      const [heading] = part.split("\n", 1);
      return { heading, text: part.slice(heading.length).trim() };
    });
}

const LAST_LINE = /\n*\[All hosts and the summary\]\(README\.md\)\s*$/;

/**
 * A host's page: its machine, and its sections by workload, [{ name, date, text }]. None of another version, whose figures are not to
 * be mixed with those of this one.
 */
export function keptPage(path, title) {
  const text = read(path);
  if (!text.startsWith(`# ${title}\n`)) return { sections: [] };
  const machine = /^\d{4}-[^,]*, (.*?)\. Measured in /m.exec(text)?.[1];
  const sections = partsOf(text.replace(LAST_LINE, ""), 2).flatMap((part) => {
    const name = /npm run bench -- comparison ([\w-]+)`/.exec(part.text)?.[1];
    const date = /Measured on ([\d-]+)/.exec(part.text)?.[1];
    return name === undefined ? [] : [{ name, date, text: `## ${part.heading}\n\n${part.text}` }];
  });
  return { machine, sections };
}

/** The parts of the page about memory: host -> { intro, parts: [{ heading, text }] }. */
export function keptMemory(path) {
  const hosts = partsOf(read(path).replace(LAST_LINE, ""), 2);
  return new Map(
    hosts.map(({ heading, text }) => [
      heading,
      { intro: text.split("\n### ")[0].trim(), parts: partsOf(text, 3) },
    ]),
  );
}

/** The page with the rows about Treeline, with other or further sections: texts that begin with their headings. */
export function withRows(path, sections) {
  const page = read(path);
  const at = page.indexOf("\n## ");
  if (at < 0) return undefined;
  const all = merged(partsOf(page, 2), partsOf(sections.join("\n"), 2), ({ heading }) => heading);
  all.sort((one, other) => (one.heading < other.heading ? -1 : 1));
  return `${page.slice(0, at)}${all.map(({ heading, text }) => `\n## ${heading}\n\n${text}\n`).join("")}`;
}

/**
 * The front page: its pictures [{ heading, text }], the line in the list of pages of each host, and its summaries: host ->
 * tables, each as { head, groups: [{ name, lines }] }.
 */
export function keptFront(path, comparison) {
  const text = read(path);
  const sections = partsOf(text, 2);
  const links = text.match(/^- \[.*$/gm) ?? [];
  const summaries = partsOf(sections.find(({ heading }) => heading === comparison)?.text ?? "", 3);
  return {
    pictures: sections.filter(({ heading }) => heading !== comparison),
    links: new Map(links.map((line) => [line.slice(3, line.indexOf("]")), line])),
    summaries: new Map(summaries.map((one) => [one.heading, tablesIn(one.text)])),
  };
}

/** Cells contain no vertical lines. */
const cellsOf = (line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

function tablesIn(text) {
  return text.split("\n\n").flatMap((block) => {
    const [head, rule, ...lines] = block.split("\n").map(cellsOf);
    return rule === undefined || !rule[0]?.startsWith("-") ? [] : [{ head, groups: groupsIn(lines) }];
  });
}

/** A line with a bold first cell begins a group; its last bold word is the name of the workload. */
function groupsIn(lines) {
  const groups = [];
  for (const line of lines) {
    const bold = /^\*\*(?:.* )?(\S+)\*\*/.exec(line[0]);
    if (bold !== null) groups.push({ name: bold[1], lines: [] });
    groups.at(-1)?.lines.push(line);
  }
  return groups;
}

/** Old ones in their order, replaced where there is a new one of the same name; then further new ones. */
export function merged(old, fresh, keyOf = ({ name }) => name) {
  const isIn = (list, one) => list.find((other) => keyOf(other) === keyOf(one));
  return [
    ...old.map((one) => isIn(fresh, one) ?? one),
    ...fresh.filter((one) => isIn(old, one) === undefined),
  ];
}
