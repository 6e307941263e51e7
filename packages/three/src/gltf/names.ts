// The names of entities of a file: those of its nodes (`NodeNames`); numbers for equal names (`namesOf`).
import { type Object3D, PropertyBinding } from "three";

/** What is read of the `parser` of `GLTFLoader`. */
export interface LoadedParser {
  readonly json: unknown;
  /** The node of the file from which an object was made. */
  readonly associations: ReadonlyMap<unknown, { readonly nodes?: number }>;
}

/** An object and the place of its parent in the list; the root has -1. */
export interface Placed {
  readonly object: Object3D;
  readonly above: number;
}

/**
 * The names of all; the root has the name that its terms give it. Names of nodes come first: of siblings with the same one the first keeps it.
 * The others, and those for which the loader has made up a name, get numbers.
 */
export function namesOf(
  placed: readonly Placed[],
  file: { readonly parser?: LoadedParser },
): readonly string[] {
  const nodes = new NodeNames(file.parser);
  /** Place in the list -> the name of its node. */
  const given = placed.map(({ object, above }) => (above < 0 ? "" : nodes.nameOf(object)));
  const reserved = new Set(given);
  const names = [...given];
  eachGroup(placed, (group) => {
    const taken = new Set<string>();
    const others = group.filter((at) => {
      const name = given[at] ?? "";
      const isOther = name === "" || taken.has(name);
      if (!isOther) taken.add(name);
      return isOther;
    });
    /** Name -> the number that was tried last. */
    const counts = new Map<string, number>();
    for (const at of others) {
      const name = given[at] ?? placed[at]!.object.name;
      if (name === "") {
        names[at] = "";
        continue;
      }
      let free = name;
      for (let count = counts.get(name) ?? 1; taken.has(free) || reserved.has(free); counts.set(name, count))
        free = `${name} (${++count})`;
      taken.add(free);
      names[at] = free;
    }
  });
  return names as string[];
}

/** Passes the places of siblings, group by group: they are adjacent. */
function eachGroup(placed: readonly Placed[], call: (group: readonly number[]) => void): void {
  for (let at = 1; at < placed.length; ) {
    const group = [at];
    const { above } = placed[at]!;
    while (placed[++at]?.above === above) group.push(at);
    call(group);
  }
}

/** The loader replaces characters in the names of objects, and makes them unique in the file, for its animations. */
class NodeNames {
  private readonly parser: LoadedParser | undefined;
  private readonly nodes: readonly { readonly name?: unknown }[];
  /** Name of an object -> names of nodes for which it may stand. */
  private readonly origins = new Map<string, string[]>();

  constructor(parser: LoadedParser | undefined) {
    this.parser = parser;
    this.nodes = (parser?.json as { nodes?: [] } | undefined)?.nodes ?? [];
    for (const { name } of this.nodes) {
      if (typeof name !== "string" || name === "") continue;
      const text = PropertyBinding.sanitizeNodeName(name);
      const known = this.origins.get(text);
      if (known === undefined) this.origins.set(text, [name]);
      else if (!known.includes(name)) known.push(name);
    }
  }

  /** @returns `undefined` for what is no node of the file, or is one without a name. */
  nameOf(object: Object3D): string | undefined {
    const { name, userData } = object;
    const index = this.parser?.associations?.get(object)?.nodes;
    if (index !== undefined) {
      const given = this.nodes[index]?.name;
      return typeof given === "string" && given !== "" ? given : undefined;
    }
    const kept: unknown = userData.name;
    const base = name.replace(/_\d+$/, "");
    // A clone, or an object of another scene of the file. Custom properties may have been written over the name of its node.
    const origins = "name" in userData ? (this.origins.get(name) ?? this.origins.get(base)) : undefined;
    if (origins !== undefined) return origins.find((one) => one === kept) ?? origins[0];
    if (typeof kept === "string" && kept !== "") {
      const text = PropertyBinding.sanitizeNodeName(kept);
      if (text === name || text === base) return kept;
    }
    return this.parser !== undefined || name === "" ? undefined : name;
  }
}
