// `loadPrefabs`: the order of documents that name one another (`inOrder`), throws `cycle`; all or nothing.
import { type Definition, type Entity, TreelineError, type World } from "@treeline/core";
import { indexOf, requireOptions, shown } from "@treeline/core/internal";
import type { DocumentData, DocumentLimits, Json } from "@treeline/document";
import { isObject, readDocument, refuseDocument, withoutMark } from "@treeline/document/internal";
import { fromDocument, type UnknownNames } from "@treeline/document/json";
import { restore, snapshot } from "@treeline/document/snapshot";
import { requireIdle } from "../base/require.ts";
import { Prefab } from "../make/prefab.ts";
import { refreshInstances } from "../merge/refresh.ts";
import { isInstanceRoot } from "../spawn/find-part.ts";
import { linkAt } from "../state/part-records.ts";
import { PrefabKey, prefabAt, prefabsByKey } from "./definitions.ts";
import { prefabs } from "./format.ts";
import { Loader } from "./load.ts";
import { dropIds, setIds } from "./part-ids.ts";
import { updatePrefab } from "./update.ts";

/** How documents of prefabs are read: see `fromDocument`. */
export interface PrefabOptions {
  /** The parent of the prefabs that are new. Default: none. */
  readonly parent?: Entity | undefined;
  /** The components, tags and relations that the documents may name, besides those that the world has used. */
  readonly definitions?: readonly Definition[] | undefined;
  /** What to do with those that are not known. Default "refuse". */
  readonly unknown?: UnknownNames | undefined;
  /** The entity for a key that `resolve` of `toDocument` has returned. */
  readonly resolve?: ((key: Json) => Entity | undefined) | undefined;
  /** What a document may be at most. */
  readonly limits?: DocumentLimits | undefined;
}

/**
 * Loads prefabs, all of them or none: each from a document with one root, which `toDocument` made of a prefab. They may be
 * instances of one another, or contain some, in any order. What they point to without containing it must be in the world, or
 * earlier in the map.
 *
 * A prefab whose key the world has is brought to what the document says, in place: parts that have the same ids stay the same
 * entities, and instances follow as by `refreshInstances`. So a library of prefabs can be edited in files while a program runs.
 * Hooks and observers are told of what differs only.
 *
 * @cost a snapshot of the world, to go back to if something is refused; each document is read once, and compared with the prefab
 *   that the world has; and `refreshInstances` for each of these.
 * @param documents by key: texts, or plain data.
 * @returns the prefabs by key.
 * @throws DocumentError as `fromDocument`, with a `place` that begins with the key; `bad-document` for a document that has not one
 *   root, and for a key that is neither in the library nor in the world; as `refreshInstances`; `cycle` if a prefab would contain
 *   itself; `bad-value` for what is no map; `iterating` inside an iteration; what hooks and observers throw. Nothing has changed
 *   then.
 *
 * @example
 * const library = loadPrefabs(world, new Map([["tank", tankText], ["army", armyText]]), { definitions });
 * const army = instantiate(world, library.get("army")!);
 */
export function loadPrefabs(
  world: World,
  documents: ReadonlyMap<string, DocumentData | string>,
  options: PrefabOptions = {},
): Map<string, Entity> {
  CHECK: requireOptions("loadPrefabs", options, ["parent", "definitions", "unknown", "resolve", "limits"]);
  requireIdle(world, "loadPrefabs");
  if (!(documents instanceof Map))
    throw new TreelineError("bad-value", "loadPrefabs takes a Map of documents by their keys");
  const parsed = new Map<string, DocumentData>();
  for (const [key, document] of documents) parsed.set(key, parse(key, document, options.limits?.bytes));
  const order = inOrder(parsed, prefabsByKey(world));
  const before = snapshot(world);
  const loaded = new Map<string, Entity>();
  try {
    const updated: Entity[] = [];
    for (const key of order) {
      const known = prefabAt(world, key);
      inDocument(key, () => loaded.set(key, loadOne(world, key, parsed.get(key)!, known, options)));
      if (known !== undefined) updated.push(known);
    }
    for (const one of updated) refreshInstances(world, one);
    dropIds(world);
  } catch (error) {
    restore(world, before);
    throw error;
  }
  return new Map([...documents.keys()].map((key) => [key, loaded.get(key)!]));
}

function loadOne(
  world: World,
  key: string,
  data: DocumentData,
  known: Entity | undefined,
  options: PrefabOptions,
): Entity {
  if (known !== undefined) {
    const { parent: _, ...others } = options;
    let loader: Loader | undefined;
    // As if it were below the prefab that it will be: it must not contain that.
    const format = { ...prefabs, loader: () => (loader = new Loader(world, known)) };
    const drafts = readDocument(world, data, { ...others, prefabs: format });
    updatePrefab(world, known, drafts, loader!, data.lastId ?? 0);
    return known;
  }
  const ids = new Map<number, Entity>();
  const [made] = fromDocument(world, data, {
    ...options,
    prefabs,
    ids,
    with: [Prefab, PrefabKey(key)],
  });
  // Parts of prefabs inside of it may have ids in this document, too, if something refers to them.
  const own = [...ids].filter(
    ([, part]) => linkAt(world, indexOf(part)) === 0 || isInstanceRoot(world, part),
  );
  setIds(world, made!, own, data.lastId ?? 0);
  return made!;
}

function parse(key: string, document: DocumentData | string, most = 2 ** 28): DocumentData {
  let data: unknown = document;
  if (typeof document === "string") {
    if (document.length > most)
      refuseDocument(key, `the text has ${document.length} characters, more than the limit of ${most}`);
    try {
      data = JSON.parse(withoutMark(document));
    } catch (error) {
      refuseDocument(key, `the text is no JSON: ${(error as Error).message}`, error);
    }
  }
  if (!isObject(data) || !Array.isArray(data.entities) || data.entities.length !== 1)
    refuseDocument(key, "the document of a prefab has one root");
  const { lastId } = data;
  if (lastId !== undefined && !(Number.isSafeInteger(lastId) && (lastId as number) >= 0))
    refuseDocument(`${key}: lastId`, `expects a whole number of 0 or more, not ${shown(lastId)}`);
  return data as unknown as DocumentData;
}

/** Errors about a document name its key. */
function inDocument(key: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    const place = (error as { readonly place?: unknown }).place;
    if (!(error instanceof TreelineError) || typeof place !== "string") throw error;
    refuseDocument(key, error.message, error, error.code);
  }
}

/** The keys, each after those that its document names. @throws TreelineError `cycle`; DocumentError for a key that is not known. */
function inOrder(documents: ReadonlyMap<string, DocumentData>, known: ReadonlyMap<string, Entity>): string[] {
  const order: string[] = [];
  const states = new Map<string, "open" | "done">();
  for (const start of documents.keys()) {
    const path = [{ key: start, inner: keysIn(documents.get(start)!) }];
    if (states.has(start)) continue;
    states.set(start, "open");
    while (path.length > 0) {
      const { key, inner } = path.at(-1)!;
      const next = inner.pop();
      if (next === undefined) {
        states.set(key, "done");
        order.push(key);
        path.pop();
      } else if (states.get(next) === "open") {
        const chain = [...path.map((one) => one.key), next].slice(path.findIndex((one) => one.key === next));
        throw new TreelineError(
          "cycle",
          `the prefab ${JSON.stringify(next)} would contain itself: ${chain.join(" > ")}`,
        );
      } else if (documents.has(next)) {
        if (states.has(next)) continue;
        states.set(next, "open");
        path.push({ key: next, inner: keysIn(documents.get(next)!) });
      } else if (!known.has(next))
        refuseDocument(key, `the prefab ${JSON.stringify(next)} is neither in the library nor in the world`);
    }
  }
  return order;
}

/** The keys of prefabs of which a document has instances. */
function keysIn(document: DocumentData): string[] {
  const found = new Set<string>();
  for (const lists: unknown[][] = [document.entities]; lists.length > 0; ) {
    for (const one of lists.pop()!) {
      if (!isObject(one)) continue;
      if (typeof one.prefab === "string") found.add(one.prefab);
      if (Array.isArray(one.children)) lists.push(one.children);
    }
  }
  return [...found];
}
