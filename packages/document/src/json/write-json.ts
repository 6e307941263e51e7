import type { DocumentData, EntityData } from "../format/document.ts";

/** Members that are written before and after the others. */
const FIRST = ["id", "parent", "name", "storage"] as const;
const THEN = ["components", "tags", "entityTags", "pairs"] as const;

/** Texts that JSON writes as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters
const PLAIN = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

function textToJson(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * The JSON text of a document, one entity a line. The same document makes the same text, which ends with a line break. It has no
 * recursion over the tree: chains of any length can be written.
 *
 * @example
 * writeFileSync("station.json", writeJson(toDocument(world, { root: station })));
 */
export function writeJson(document: DocumentData): string {
  const { format, version, form, versions, entities } = document;
  let text =
    `{"format":${textToJson(format)},"version":${version},"form":${textToJson(form)},` +
    `"versions":${valueText(versions)},"entities":[`;
  /** The lists that are being written, and the next place in each. */
  const lists: (readonly EntityData[])[] = [entities];
  const places: number[] = [0];
  while (lists.length > 0) {
    const list = lists.at(-1)!;
    const place = places[places.length - 1]!++;
    if (place === list.length) {
      lists.pop();
      places.pop();
      text += list.length > 0 ? "\n]" : "]";
      if (lists.length > 0) text += "}";
      continue;
    }
    const data = list[place]!;
    text += place === 0 ? "\n" : ",\n";
    const members = membersText(data);
    text += members;
    const { children } = data;
    if (children === undefined) text += "}";
    else {
      text += members === "{" ? '"children":[' : ',"children":[';
      lists.push(children);
      places.push(0);
    }
  }
  return `${text}}\n`;
}

/** The text of all but the children, without the brace at its end. */
function membersText(data: EntityData): string {
  let text = "{";
  for (const name of FIRST) {
    const value = data[name];
    if (value === undefined) continue;
    if (text.length > 1) text += ",";
    text += `"${name}":${typeof value === "number" ? value : textToJson(value)}`;
  }
  for (const name of THEN) {
    const value = data[name];
    if (value === undefined) continue;
    if (text.length > 1) text += ",";
    text += `"${name}":${valueText(value)}`;
  }
  return text;
}

function valueText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return textToJson(value);
    case "number":
      return `${value}`;
    case "object":
      break;
    default:
      return `${value}`;
  }
  if (value === null) return "null";
  if (Array.isArray(value)) {
    let text = "[";
    for (let at = 0; at < value.length; at++)
      text += at === 0 ? valueText(value[at]) : `,${valueText(value[at])}`;
    return `${text}]`;
  }
  let text = "{";
  for (const name of Object.keys(value)) {
    if (text.length > 1) text += ",";
    text += `${textToJson(name)}:${valueText((value as { [name: string]: unknown })[name])}`;
  }
  return `${text}}`;
}
