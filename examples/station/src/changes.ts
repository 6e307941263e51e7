// What differs between two libraries of modules (`changesOf`), as text: parts that came and went, and values.

/** Documents of prefabs by key. */
export type Modules = ReadonlyMap<string, string>;

type Json = { readonly [name: string]: unknown };

/** What differs between two libraries that a world took, a line for each module: parts that came and went, and values. */
export function changesOf(before: Modules, after: Modules): string[] {
  const lines: string[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was === is) continue;
    if (was === undefined) lines.push(`${key}.json: new`);
    else if (is === undefined) lines.push(`${key}.json: gone; the station keeps it`);
    else lines.push(`${key}.json: ${changesOfText(was, is).join("; ") || "nothing that instances have"}`);
  }
  return lines;
}

function changesOfText(was: string, is: string): string[] {
  const [old, now] = [partsOf(was), partsOf(is)];
  const texts: string[] = [];
  for (const [id, part] of old) if (!now.has(id)) texts.push(`- ${nameOf(part)}`);
  for (const [id, part] of now) {
    const before = old.get(id);
    if (before === undefined) texts.push(`+ ${nameOf(part)}`);
    else {
      const values = valuesOf(part, "");
      const known = valuesOf(before, "");
      for (const path of new Set([...known.keys(), ...values.keys()])) {
        const [from, to] = [known.get(path) ?? "nothing", values.get(path) ?? "nothing"];
        if (from !== to) texts.push(`${nameOf(before)}: ${path} ${from} -> ${to}`);
      }
    }
  }
  return texts;
}

function nameOf(part: Json): string {
  return String(part.name ?? `part ${String(part.id)}`);
}

/** The entities of a document by id, or by their order if they have none. */
function partsOf(text: string): Map<unknown, Json> {
  const found = new Map<unknown, Json>();
  const collect = (part: Json): void => {
    found.set(part.id ?? `without id ${found.size}`, part);
    for (const child of (part.children ?? []) as readonly Json[]) collect(child);
  };
  for (const root of JSON.parse(text).entities as readonly Json[]) collect(root);
  return found;
}

/** What an entity has, as texts by path; without its children. */
function valuesOf(value: Json, path: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, one] of Object.entries(value)) {
    const inside = path === "" ? name : `${path}.${name}`;
    if (path === "" && (name === "children" || name === "id")) continue;
    if (typeof one !== "object" || one === null || Array.isArray(one)) found.set(inside, JSON.stringify(one));
    else for (const entry of valuesOf(one as Json, inside)) found.set(...entry);
  }
  return found;
}
