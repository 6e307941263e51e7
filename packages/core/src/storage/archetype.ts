// The record of an archetype: columns, table lists, caches; which needs of its changes never vary (`fixedNeedsOf`).
import { ChildOf, ComponentEntity, DisabledTree, Parent, Prefab } from "../id/builtins.ts";
import type { Definition, DefinitionState } from "../id/definition.ts";
import type { NumberOf } from "../id/entity.ts";
import { type Bits, RowBits } from "./bits.ts";
import type { MovePlan } from "./copy-rows.ts";
import { type Column, Lanes, planLanes } from "./lanes.ts";
import type { Memory } from "./memory.ts";
import {
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_DEPTHS,
  NEEDS_HOOKS,
  NEEDS_LIMITS,
  NEEDS_PAIR_VALUES,
  NEEDS_SYMMETRIC,
} from "./needs.ts";
import { TableList } from "./table.ts";

// biome-ignore lint/performance/noReExportAll: they are numbers, and no bundler keeps their names
export * from "./needs.ts";

export type ArchetypeId = NumberOf<"archetype">;

/**
 * All entities that have the same components, tags and relations, whatever the targets, in dense rows: a loop over them is one range.
 *
 *   row          0    1    2    3
 *   entities   [ e7   e3   e9   e4   -   - ]     4 rows, capacity 6
 *
 * A row that goes is filled by the last one. Lane 0 of the four-byte lanes holds entity indexes.
 */
export class Archetype {
  /** 0-based, in order of creation; never changes. */
  readonly number: ArchetypeId;
  /** `erasedIdOf` of each definition, ascending: a relation without data once, one with data once per pair. Never changes. */
  readonly erasedType: readonly number[];
  /** Parallel to `erasedType`. */
  readonly definitions: readonly Definition[];
  /** By number of a definition: 0 if the archetype lacks it, 1 if it has no values here, else 2 plus the place of its first column. */
  readonly places: Uint16Array;
  /** Has pairs of other relations than the parent: no table has an empty pair list. */
  readonly hasPairs: boolean;
  /** Its entities have a parent, in either storage. */
  readonly hasParent: boolean;
  /** What its entities inherit, by `inheritedOf`; empty in most archetypes. */
  readonly inherited: readonly Definition[];
  /** The parents of its entities are stored as values. */
  readonly hasValueParent: boolean;
  /** Definitions with hooks, in its type or in its bits; empty for most archetypes. */
  hooked: readonly Definition[];
  /** The NEEDS_ bits that never change, once its rows have had all that they get. */
  fixedNeeds: number;
  /** All NEEDS_ bits, as of `needsEpoch`. */
  needs = 0;
  needsEpoch = -1;
  readonly lanes: Lanes;
  /** All rows as one run: see `allRowsOf`. */
  readonly whole: RowBits = new RowBits();
  /** Tags of single rows that are stored as bits; `undefined` until a row has one. */
  bits: Bits | undefined;
  /** Has had a table: queries include it. */
  founded = false;
  /** Its place in the list of founded archetypes; -1 before. */
  place = -1;
  /** How many rows it has. */
  rows = 0;
  /** How often rows have gone, or moved: what is known of the rows of a family is known until then. */
  moves = 0;
  /** The table without pairs; 0 if there is none. */
  plainTable = 0;
  /** Tables with rows, in the order in which they got their first row. */
  readonly filled: TableList = new TableList();
  /** Tables without rows, oldest first. */
  readonly empty: TableList = new TableList();
  /** By number of a definition: the archetype with it, and the one without it; filled on demand. */
  readonly withId: (Archetype | undefined)[] = [];
  readonly withoutId: (Archetype | undefined)[] = [];
  /** Archetype number -> which lanes of a row are copied where; and the plan that was used last. */
  readonly movePlans: Map<number, MovePlan> = new Map();
  lastPlanTo: Archetype | undefined;
  lastPlan: MovePlan | undefined;

  /** @param definitions sorted by `erasedIdOf`: relations first, highest number first. */
  constructor(number: number, definitions: readonly Definition[], memory: Memory) {
    const sources = definitions
      .map((definition, at) => ({ definition, occurrence: at - definitions.indexOf(definition) }))
      .filter(({ definition }) => definition.holds !== "nothing");
    const plan = planLanes(sources);
    this.number = number;
    this.places = new Uint16Array(definitions.reduce((most, { id }) => Math.max(most, id), 0) + 1);
    const inherited: Definition[] = [];
    for (const { id, standsFor } of definitions) {
      this.places[id] = 1;
      if (standsFor === undefined) continue;
      this.places[standsFor.id] = 1; // it was defined before
      inherited.push(standsFor);
    }
    for (const [at, { definition, occurrence }] of plan.columns.entries()) {
      if (occurrence === 0) this.places[definition.id] = at + 2;
    }
    this.erasedType = definitions.map(erasedIdOf);
    this.definitions = definitions;
    this.inherited = inherited;
    this.hasPairs = definitions.some(
      (definition) => definition.kind === "relation" && definition !== Parent && definition !== ChildOf,
    );
    this.hasParent = definitions.includes(Parent) || definitions.includes(ChildOf);
    this.hasValueParent = definitions.includes(Parent);
    this.hooked = definitions.filter(({ hooks }) => hooks !== undefined);
    this.fixedNeeds = fixedNeedsOf(definitions);
    this.lanes = new Lanes(plan, memory);
  }
}

function fixedNeedsOf(definitions: readonly Definition[]): number {
  let needs = 0;
  for (const definition of definitions) {
    if (definition.hooks !== undefined) needs |= NEEDS_HOOKS;
    if (definition.maxSubjects > 0) needs |= NEEDS_LIMITS;
    if (definition.symmetric) needs |= NEEDS_SYMMETRIC;
    if (definition === DisabledTree || definition === ComponentEntity || definition === Prefab)
      needs |= NEEDS_BUILTIN;
    if (definition.kind !== "relation") continue;
    if (definition.keepsDepth && definition !== ChildOf && definition !== Parent) needs |= NEEDS_DEPTHS;
    if (!definition.exclusive) needs |= NEEDS_ADDING_ORDER;
    if (definition.holds !== "nothing") needs |= NEEDS_PAIR_VALUES;
  }
  return needs;
}

/** The number of a component or tag, or minus the number of a relation. */
export function erasedIdOf(definition: Definition): number {
  return definition.kind === "relation" ? -definition.id : definition.id;
}

/** Whether the archetype has the component or tag, be it inherited, or at least one pair of the relation. */
export function hasDefinition({ places }: Pick<Archetype, "places">, { id }: Definition): boolean {
  return id < places.length && places[id] !== 0;
}

/** Whether its entities read the values of a component from what they are instances of. */
export function inherits(
  { places }: Pick<Archetype, "places">,
  { id, holds }: Definition & DefinitionState,
): boolean {
  return id < places.length && places[id] === 1 && holds !== "nothing";
}

/** The column of a component, or of the first pair of a relation; `undefined` if there is none. */
export function columnOf({ places, lanes }: Archetype, { id }: Definition): Column | undefined {
  const place = id < places.length ? places[id]! : 0;
  return place > 1 ? lanes.plan.columns[place - 2] : undefined;
}
