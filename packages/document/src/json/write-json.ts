// `writeJson`: the text, one entity a line, without recursion over the tree.
import type { DocumentData, EntityData } from "../format/document.ts";

/**
 * The JSON text of a document, one entity a line. The same document makes the same text, which ends with a line break. There is no
 * recursion over the tree: chains of any length can be written.
 *
 * @example
 * writeFileSync("station.json", writeJson(toDocument(world, { root: station })));
 */
export function writeJson(document: DocumentData): string {
  const { entities, ...head } = document;
  /** Pieces: adding to one text would make a tree of texts, which takes longer to flatten than these take to join. */
  const pieces = [`${JSON.stringify(head).slice(0, -1)},"entities":[`];
  /** The lists that are being written, and the next place in each. */
  const lists: (readonly EntityData[])[] = [entities];
  const places: number[] = [0];
  while (lists.length > 0) {
    const list = lists.at(-1)!;
    const place = places[places.length - 1]!++;
    if (place === list.length) {
      lists.pop();
      places.pop();
      pieces.push(list.length > 0 ? "\n]}" : "]}");
      continue;
    }
    const data = list[place]!;
    const start = place === 0 ? "\n" : ",\n";
    if (data.children === undefined) {
      pieces.push(start, JSON.stringify(data));
      continue;
    }
    const { children, ...others } = data;
    const text = JSON.stringify(others);
    pieces.push(start, text === "{}" ? "{" : `${text.slice(0, -1)},`, '"children":[');
    lists.push(children);
    places.push(0);
  }
  pieces.push("\n");
  return pieces.join("");
}
