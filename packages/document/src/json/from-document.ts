// `fromDocument`: the head of a document (`readVersions`), and its options; throws `bad-value`.
import type { Definition, Entity, SpawnTerm, World } from "@treeline/core";
import { requireOptions, shown } from "@treeline/core/internal";
import { definitionsByName } from "../format/definitions.ts";
import { type DocumentData, FORMAT, type Json, VERSION } from "../format/document.ts";
import { refuseDocument } from "../format/error.ts";
import type { InstanceFormat } from "../format/instances.ts";
import { type DocumentLimits, limitsFrom } from "../format/limits.ts";
import { isObject, placeIn, withoutMark } from "../format/values.ts";
import type { Drafts } from "../load/draft.ts";
import { makeEntities, parentIn } from "../load/make.ts";
import { Names } from "../load/names.ts";
import type { LostReference } from "../load/read-values.ts";
import { EntityReader, requirePolicy, type UnknownNames } from "./entity-reader.ts";

/** Where a document is loaded, and how it is read. */
export interface LoadOptions {
  /** The parent of the roots, by `ChildOf`. Default: they become roots of the world, or children of the present scope. */
  readonly parent?: Entity | undefined;
  /** Terms that the roots get in addition to, or instead of, their own: `[Parent(ship), Name("Copy")]`. */
  readonly with?: readonly SpawnTerm[] | undefined;
  /**
   * The components, tags and relations that the document may name, besides those that the world has used. A new world has used none.
   * `builtins` are those of Treeline.
   */
  readonly definitions?: readonly Definition[] | undefined;
  /**
   * What to do with components, tags and relations that are not known, and with unknown fields of components and pairs. "refuse"
   * them; "drop" them; or "keep" them in the component `Unknown`, so that `toDocument` writes them again. Default "refuse".
   */
  readonly unknown?: UnknownNames | undefined;
  /** The entity for a key that `resolve` of `toDocument` has returned. */
  readonly resolve?: ((key: Json) => Entity | undefined) | undefined;
  /**
   * Gets the references that were kept for another world, or to entities that are destroyed, and that no path leads to: they are
   * dropped. See `outside` of `toDocument`.
   */
  readonly lost?: LostReference[] | undefined;
  /** What the document may be at most. */
  readonly limits?: DocumentLimits | undefined;
  /** Gets the new entities that have an id in the document. */
  readonly ids?: Map<number, Entity> | undefined;
  /** `prefabs` of `@treeline/prefab/document`: instances of prefabs are made. The prefabs have been loaded before. */
  readonly prefabs?: InstanceFormat | undefined;
}

/**
 * Makes the entities of a document, all of them or none, and returns its roots in order. Everything is read and checked before the
 * first entity is made. Siblings get the order of the document, after children that the parent has already.
 *
 * Hooks and observers are called as by `spawn`: all `check` hooks before the first entity is made.
 *
 * @cost the document, and as `spawnMany` for its entities of one type.
 * @param document the text of a document, which may begin with a byte order mark, or one as plain data, which is not changed.
 * @throws DocumentError `bad-document` for text that is no JSON, for data that is no document, and for one over the limits;
 *   `name-taken`, `full` and `cycle` for entities that cannot all be made; as `spawn`; `bad-definition` if two definitions have one
 *   name; `dead-entity` if `parent` is not alive; `bad-value` for an unknown policy; `iterating` inside an iteration. Nothing has
 *   changed then. The error says its `place` in the document; to find that, `checkMoves` hooks are called again for fewer entities.
 *   For what another hook refuses it is `entities`.
 *
 * @example
 * const [station] = fromDocument(world, readFileSync("station.json", "utf8"), { definitions: [Position, Door] });
 */
export function fromDocument(
  world: World,
  document: DocumentData | string,
  options: LoadOptions = {},
): Entity[] {
  CHECK: requireOptions("fromDocument", options, [
    "parent",
    "with",
    "definitions",
    "unknown",
    "resolve",
    "lost",
    "limits",
    "ids",
    "prefabs",
  ]);
  return makeEntities(world, readDocument(world, document, options), options);
}

/** Reads and checks a document as `fromDocument` does, and makes nothing. @throws as `fromDocument`. */
export function readDocument(world: World, document: DocumentData | string, options: LoadOptions): Drafts {
  const { unknown = "refuse", definitions = [], prefabs } = options;
  requirePolicy(unknown);
  const limits = limitsFrom(options.limits);
  const data = typeof document === "string" ? parse(document, limits.bytes) : document;
  if (!isObject(data)) return refuseDocument("", `a document is an object, not ${shown(data)}`);
  const {
    format,
    version,
    form,
    versions,
    lastId: _,
    entities,
    ...others
  } = data as {
    readonly [name: string]: unknown;
  };
  if (format !== FORMAT) refuseDocument("format", `expects ${JSON.stringify(FORMAT)}, not ${shown(format)}`);
  if (version !== VERSION)
    refuseDocument("version", `this program reads version ${VERSION} of the format, not ${shown(version)}`);
  if (form !== "nested" && form !== "flat")
    refuseDocument("form", `expects "nested" or "flat", not ${shown(form)}`);
  for (const name of Object.keys(others)) refuseDocument(placeIn("", name), "a document has no such member");
  const named = prefabs === undefined ? definitions : new Set([...definitions, ...prefabs.definitions]);
  const names = new Names(definitionsByName(world, [...named]), readVersions(versions));
  const reader = new EntityReader(world, names, {
    unknown,
    limits,
    isParsed: typeof document === "string",
    resolve: options.resolve,
    lost: options.lost,
    instances: prefabs?.loader(world, parentIn(world, options)),
  });
  return reader.readAll(entities, form);
}

function parse(text: string, most: number): unknown {
  if (text.length > most)
    refuseDocument("", `the text has ${text.length} characters, more than the limit of ${most}`);
  try {
    return JSON.parse(withoutMark(text));
  } catch (error) {
    return refuseDocument("", `the text is no JSON: ${(error as Error).message}`, error);
  }
}

function readVersions(data: unknown): Map<string, number> {
  const versions = new Map<string, number>();
  if (data === undefined) return versions;
  if (!isObject(data)) return refuseDocument("versions", `expects an object, not ${shown(data)}`);
  for (const name of Object.keys(data)) {
    const version = data[name];
    if (!Number.isSafeInteger(version) || (version as number) < 1)
      refuseDocument(placeIn("versions", name), `expects a whole number from 1, not ${shown(version)}`);
    versions.set(name, version as number);
  }
  return versions;
}
