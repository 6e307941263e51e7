// Which kind an entity has in texts (`kindText`, `sortText`), and how kinds are counted (`tally`).
import { type Entity, escapeName, get, has, Name, type World } from "treeline";
import { counted } from "../text/text.ts";
import { File, Kind } from "./components.ts";

/** An entity's name, escaped as in a path. */
export function stepOf(world: World, entity: Entity): string {
  return escapeName(get(world, entity, Name)!, { separator: "/" });
}

/** The kind of an entity: a word of this program, or of the file. */
export function kindText(world: World, entity: Entity): string {
  return get(world, entity, Kind) ?? (has(world, entity, File) ? "file" : "directory");
}

/** The group in which an entity is counted: the extension of a file, otherwise the kind. */
export function sortText(world: World, entity: Entity): string {
  if (!has(world, entity, File)) return kindText(world, entity);
  const name = get(world, entity, Name) ?? "";
  const dot = name.lastIndexOf(".");
  return dot > 0 && dot < name.length - 1 ? name.slice(dot).toLowerCase() : "(no ending)";
}

/** "56,970 files, 2,118 directories": the number of each kind, most frequent first. */
export function tally(texts: Iterable<string>, shown: number): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const parts = sorted.slice(0, shown).map(([text, count]) => {
    if (text === "file" || text === "link") return counted(count, text);
    if (text === "directory") return counted(count, text, "directories");
    return `${count.toLocaleString("en-US")} ${text}`;
  });
  if (sorted.length > shown) parts.push(`${sorted.length - shown} other kinds`);
  return parts.join(", ");
}
