/** One step of a walk as plain data: it can be stored, printed, removed and replayed. */

import type { PatternText } from "../twin/find.ts";
import type { PathText } from "../twin/paths.ts";
import type { SimpleTerm } from "../twin/read.ts";
import type { Fields, NaiveId, NaiveTerm, NameRules, Twin } from "../twin/rules.ts";
import type { Storage } from "../twin/world.ts";

/** Commands about entities and what they have. */
type EntityCommand =
  | { readonly verb: "spawn"; readonly spawned: readonly Twin[]; readonly terms: readonly NaiveTerm[] }
  | { readonly verb: "spawnMany"; readonly spawned: readonly Twin[]; readonly terms: readonly NaiveTerm[] }
  | { readonly verb: "add"; readonly entity: Twin; readonly terms: readonly NaiveTerm[] }
  | ({ readonly verb: "remove"; readonly entity: Twin } & NaiveId)
  | { readonly verb: "set"; readonly entity: Twin; readonly term: NaiveTerm }
  /** Writes given fields of a value that the entity has. */
  | { readonly verb: "patch"; readonly entity: Twin; readonly term: NaiveTerm }
  | { readonly verb: "rename"; readonly entity: Twin; readonly name: string }
  | { readonly verb: "clear"; readonly entity: Twin }
  | {
      readonly verb: "clone";
      readonly entity: Twin;
      readonly isDeep: boolean;
      readonly terms: readonly NaiveTerm[];
      /** The copy; the numbers after it are for copies of descendants. */
      readonly spawned: Twin;
    }
  | { readonly verb: "destroy"; readonly entity: Twin }
  | { readonly verb: "release"; readonly entity: Twin }
  /** Destroys several entities at once. Not a step by itself: deferred commands may turn into it. */
  | { readonly verb: "destroyEach"; readonly entities: readonly Twin[] }
  | { readonly verb: "destroyWhere"; readonly terms: readonly SimpleTerm[] }
  | ({ readonly verb: "removeAll" } & NaiveId)
  | { readonly verb: "attach"; readonly entity: Twin; readonly parent: Twin; readonly storage?: Storage }
  /** Makes room for so many entities with the terms. */
  | { readonly verb: "reserve"; readonly count: number; readonly terms: readonly NaiveTerm[] }
  /** `budget`: within as many steps; progress is kept until the world changes. */
  | { readonly verb: "pack"; readonly budget?: number };

/** Commands about siblings. */
export type SiblingCommand =
  | { readonly verb: "insertAt"; readonly parent: Twin; readonly child: Twin; readonly place: number }
  | {
      readonly verb: "moveBeside";
      readonly side: "before" | "after";
      readonly child: Twin;
      readonly sibling: Twin;
    }
  | { readonly verb: "setChildOrder"; readonly parent: Twin; readonly order: readonly Twin[] }
  /** Sorts by the numbers of the twins, mixed by `salt`; or by a field of a component that all children have. */
  | { readonly verb: "sortChildren"; readonly parent: Twin; readonly salt: number; readonly byClock: boolean }
  | { readonly verb: "replaceChildren"; readonly parent: Twin; readonly list: readonly Twin[] }
  | { readonly verb: "detachChildren"; readonly parent: Twin }
  | {
      readonly verb: "attachMany";
      readonly parent: Twin;
      readonly list: readonly Twin[];
      readonly storage?: Storage;
    }
  /** Functions of `hierarchy.ts`, like `attach`. */
  | { readonly verb: "detach" | "detachWithChildren" | "detachWithDescendants"; readonly entity: Twin };

/** Spawns one entity for each of `spawned`. */
export interface SpawnRows {
  readonly verb: "spawnRows";
  readonly spawned: readonly Twin[];
  /** What all of them have. */
  readonly terms: readonly NaiveTerm[];
  /** List terms: one parent or name for each. */
  readonly parents?: { readonly what: Storage; readonly targets: readonly Twin[] };
  readonly names?: readonly string[];
  /** What is written into the columns of a component among the terms: some fields of each row, or a value for each. */
  readonly filled?:
    | { readonly what: string; readonly fields: readonly Fields[] }
    | { readonly what: string; readonly values: readonly unknown[] };
}

/** Commands about lists of entities. One that is listed twice counts once, at its first place. */
export type ListCommand =
  | SpawnRows
  /** Not a step by itself: deferred commands may turn into it. */
  | {
      readonly verb: "spawnEach";
      readonly spawned: readonly Twin[];
      readonly rows: readonly (readonly NaiveTerm[])[];
    }
  | { readonly verb: "addMany"; readonly list: readonly Twin[]; readonly terms: readonly NaiveTerm[] }
  | ({ readonly verb: "removeMany"; readonly list: readonly Twin[] } & NaiveId)
  | {
      readonly verb: "reparentMany";
      readonly list: readonly Twin[];
      /** One for all, or one for each. */
      readonly parents: Twin | readonly Twin[];
      readonly storage?: Storage;
    }
  | { readonly verb: "destroyMany"; readonly list: readonly Twin[] }
  | { readonly verb: "nameMany"; readonly list: readonly Twin[]; readonly names: readonly string[] };

/** The terms of each spawned entity, with its own values. */
export function rowsOf({ spawned, terms, parents, names, filled }: SpawnRows): NaiveTerm[][] {
  return spawned.map((_, at) => {
    const own = terms.map((term): NaiveTerm => {
      if (term.what !== filled?.what) return term;
      const value =
        "values" in filled ? filled.values[at] : { ...(term.value as Fields), ...filled.fields[at] };
      return { ...term, value };
    });
    if (parents !== undefined) own.push({ what: parents.what, target: parents.targets[at]! });
    if (names !== undefined) own.push({ what: "Name", value: names[at] });
    return own;
  });
}

/** The parent of each of a list. */
export function parentsOf({
  list,
  parents,
}: Extract<ListCommand, { verb: "reparentMany" }>): readonly Twin[] {
  return typeof parents === "number" ? list.map(() => parents) : parents;
}

/** Makes or discards the commands in a command buffer. */
export interface BufferCommand {
  readonly verb: "applyCommands" | "discardCommands";
  readonly buffer: number;
}

/** Where a path begins, its separator, and what it begins with at the roots. */
interface PathPart {
  readonly from?: Twin | undefined;
  readonly separator?: string | undefined;
  readonly prefix?: string | undefined;
}

/** Name queries; the result of the step is their result as text. */
export type NameQuery =
  | ({
      readonly verb: "lookup";
      readonly path: PathText;
      readonly upwards?: boolean | undefined;
      readonly search?: readonly Twin[] | undefined;
    } & PathPart)
  | ({ readonly verb: "findAll"; readonly pattern: PatternText } & PathPart)
  | { readonly verb: "childNamed"; readonly parent: Twin; readonly name: string }
  | ({ readonly verb: "pathOf"; readonly entity: Twin } & PathPart)
  | { readonly verb: "labelOf"; readonly entity: Twin }
  | { readonly verb: "findLabelled"; readonly label: string };

/** Commands about paths and scopes. */
export type NameCommand =
  | ({
      readonly verb: "ensurePath";
      readonly path: PathText;
      readonly storage?: string | undefined;
      /** Twins for the entities that may be created, the last one of the path first. */
      readonly spawned: readonly Twin[];
    } & PathPart)
  | ({
      readonly verb: "place";
      readonly entity: Twin;
      readonly path: PathText;
      readonly storage?: string | undefined;
      /** Twins for the ancestors that may be created, the last one of the path first. */
      readonly spawned: readonly Twin[];
    } & PathPart)
  /** Inside `withScope`; `isThrowing`: the callback throws at the end. */
  | {
      readonly verb: "within";
      readonly parent: Twin | undefined;
      readonly isThrowing: boolean;
      readonly steps: readonly Command[];
    }
  | NameQuery;

/** A structural change: it runs by itself or, issued inside an iteration, is deferred to its end. */
export type Command = EntityCommand | SiblingCommand | ListCommand | NameCommand | BufferCommand;

export type Step =
  | Command
  /** The component entity of a definition; if there is none yet, it is `spawned`. */
  | { readonly verb: "entityOf"; readonly what: string; readonly spawned: Twin }
  /** Spawns and releases this many entities, so that indexes are reused. */
  | { readonly verb: "recycle"; readonly count: number }
  /** Writes values through the row views of an iteration. */
  | { readonly verb: "writeRows"; readonly by: number }
  /** Tries a structural change while iterating a strict world. */
  | { readonly verb: "changeInside"; readonly step: Command }
  /** Issues commands inside an iteration; `isThrowing`: the callback throws at the end. */
  | {
      readonly verb: "iterate";
      readonly method: "each" | "eachRun" | "eachBatch" | "defer" | "defer in each" | "record";
      readonly isThrowing: boolean;
      readonly steps: readonly Command[];
    }
  /** Records commands in a command buffer, after those that it has. */
  | { readonly verb: "record"; readonly buffer: number; readonly steps: readonly Command[] }
  /** Sets another policy, separator or list of search scopes. */
  | ({ readonly verb: "configure" } & Partial<NameRules>)
  /** Keeps a path in a slot, inside a scope if one is given: it is compared after every step from then on. */
  | ({
      readonly verb: "keepPath";
      readonly slot: number;
      readonly path: PathText;
      readonly scope?: Twin | undefined;
    } & PathPart)
  /** Several steps, without comparing the worlds in between. */
  | { readonly verb: "burst"; readonly steps: readonly Step[] }
  /** Replaces the long-lived query in a slot. */
  | { readonly verb: "query"; readonly slot: number; readonly terms: readonly SimpleTerm[] }
  /** Stops the narrow observer in a slot and, if `to` is given, attaches another one. */
  | {
      readonly verb: "observe";
      readonly slot: number;
      readonly to: NaiveId | undefined;
      readonly yieldExisting: boolean;
    };

/** The step as an expression that can be pasted into a test. */
export function stepText(step: Step): string {
  return textOf(step);
}

/** Like JSON, but keeps NaN, infinities and -0. */
export function textOf(value: unknown): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === undefined) return "undefined";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `[${Array.from(value as readonly unknown[], textOf).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(([key, item]) => `${key}: ${textOf(item)}`);
    return `{ ${parts.join(", ")} }`;
  }
  return JSON.stringify(value);
}
