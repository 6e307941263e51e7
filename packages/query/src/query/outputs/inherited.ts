// Passes values that rows inherit from prefabs (`installInherited`); whether these have changed (`changedInherited`).
import {
  type Component,
  type Definition,
  type Entity,
  isAlive,
  type Numbers,
  set,
  type World,
} from "@treeline/core";
import {
  type ArchetypeView,
  archetypesOfDefinition,
  archetypeViewAt,
  columnsOf,
  deferLast,
  handleOf,
  inherits,
  rowAt,
  slotsOf,
  trackOf,
  worldState,
} from "@treeline/core/internal";
import { MAYBE, type MatchContext, matching, NO, type Truth, YES } from "../../match/evaluate.ts";
import type { ParsedTerm } from "../../term/plan.ts";
import type { IterationState } from "../state/iteration-state.ts";
import { apart, type OutputBinding, type RowOutputs } from "./bindings.ts";
import { RowPointer } from "./marks.ts";
import { createRowView, type RowView, turnView } from "./row-view.ts";

/*
 * What entities inherit from prefabs. Each is linked by a number to what it is an instance of, and the package `prefab` knows by
 * number the index of the entity with the value. Installed with prefabs, so that other programs do not bundle it.
 */

type Callback = (...row: unknown[]) => void;

/** Installs what queries need for inherited values. Installed by the package `prefab`. */
export function installInherited(): void {
  apart.inherited = { turnToRow, iterate, createView, placeOf };
  matching.changedInherited = changedInherited;
}

/** The index of the entity with the value that the entity at an index inherits; 0 if there is none. */
function ownerOf(world: World, index: number, definition: Definition): number {
  return slotsOf(world).templates?.ownerOf(world, index, definition) ?? 0;
}

/** A value of the entity at an index for a loop over many: its columns, and the row in them. */
function placeOf(
  world: World,
  index: number,
  definition: Definition,
): { columns: unknown; row: number } | undefined {
  const owner = ownerOf(world, index, definition);
  if (owner === 0) return undefined;
  return { columns: columnsOf(archetypeViewAt(world, owner), definition), row: rowAt(world, owner) };
}

/**
 * The view of a value that the entity itself inherits: writing a field, or to an array, gives the entity a value of its own, when the
 * iteration ends.
 * @param own the row of the entity.
 */
function createView(world: World, definition: Definition, own: RowPointer): RowView {
  const component = definition as Component<unknown, unknown, object>;
  const entity = (): Entity => handleOf(world, view.marks.archetype!.lanes.i32[own.row]!);
  const view = createRowView(world, definition, new RowPointer(), undefined, (name, value) =>
    set(world, entity(), component, { [name]: value }),
  );
  view.marks.lend = (place, list) => lend(world, entity(), component, definition.fields[place]![0], list);
  return view;
}

/** An array of an inherited value: a copy, and the numbers that it had. */
interface Lent {
  readonly component: Component<unknown, unknown, object>;
  readonly name: string;
  readonly copy: Numbers;
  readonly was: Numbers;
}

/** Of iterations that run, by entity. */
const lentOf: (world: World) => Map<Entity, Lent[]> = /* @__PURE__ */ worldState(() => new Map());
/** When there are those of so many entities, the older half is settled: rows that are shown are among the others. */
const MOST_LENT = 4096;

function lend(
  world: World,
  entity: Entity,
  component: Lent["component"],
  name: string,
  list: Numbers,
): Numbers {
  const all = lentOf(world);
  const own = all.get(entity) ?? [];
  const known = own.find((one) => one.component === component && one.name === name);
  if (known !== undefined) return known.copy;
  if (all.size === 0) deferLast(world, () => settle(world, MOST_LENT));
  if (all.size === MOST_LENT) settle(world, MOST_LENT / 2);
  const copy = list.slice();
  own.push({ component, name, copy, was: list.slice() });
  all.set(entity, own);
  return copy;
}

/** What was written to arrays of inherited values becomes the entities' own: when the outermost iteration ends. */
function settle(world: World, most: number): void {
  const all = lentOf(world);
  let left = most;
  for (const [entity, own] of all) {
    if (left-- === 0) return;
    all.delete(entity);
    for (const { component, name, copy, was } of own)
      if (isAlive(world, entity) && copy.some((number, place) => !Object.is(number, was[place])))
        set(world, entity, component, { [name]: copy });
  }
}

function turnToRow(binding: OutputBinding, state: IterationState, row: number, at: number): void {
  const { reads } = binding;
  const from = reads === "own" ? row : reads === "one" ? binding.row : state.sourceRowAt(binding.path, at);
  const { definition } = binding.output as ParsedTerm;
  show(binding, definition, state.world, ownerOf(state.world, binding.of!.lanes.i32[from]!, definition));
}

/** Turns an output to the value of the entity at an index. */
function show(binding: OutputBinding, definition: Definition, world: World, owner: number): void {
  binding.value = undefined;
  if (owner === 0) return;
  const archetype = archetypeViewAt(world, owner);
  const row = rowAt(world, owner);
  const { view } = binding;
  if (view === undefined) {
    binding.value = (columnsOf(archetype, definition) as unknown[])[row];
    return;
  }
  if (binding.shown !== archetype) {
    binding.shown = archetype;
    turnView(view, columnsOf(archetype, definition));
    if (view.marks.lend === undefined) {
      view.marks.archetype = archetype;
      view.marks.turn();
    }
  }
  binding.pointer.row = row;
  binding.value = view.object;
}

/**
 * Calls a callback for all rows, if only one view, of a value that the entity itself inherits, differs from row to row.
 *
 * @returns false, with nothing done, if other outputs differ as well.
 */
function iterate(
  { bindings, own, row: given }: RowOutputs,
  handles: Float64Array,
  { world, archetype, rows, from, to }: IterationState,
  callback: Callback,
  callWith: (callback: Callback, given: readonly unknown[], entity: number) => void,
): boolean {
  let only = -1;
  for (let number = 0; number < bindings.length; number++) {
    if (bindings[number]!.work === "none") continue;
    if (only >= 0) return false;
    only = number;
  }
  const binding = bindings[only]!;
  const { of, view, reads } = binding;
  if (of === undefined || view === undefined || reads !== "own") return false;
  const { definition } = binding.output as ParsedTerm;
  const { link, ownersOf } = slotsOf(world).templates!;
  const owners = ownersOf(world, definition);
  const links = (columnsOf(archetype, link) as { readonly part: Uint32Array }).part;
  const { i32: indexes } = archetype.lanes;
  let last = -1;
  for (let at = from; at < to; at++) {
    const row = rows === undefined ? at : rows[at]!;
    const number = links[row]!;
    if (number !== last) {
      last = number;
      show(binding, definition, world, owners[number]!);
      given[only] = binding.value;
    }
    own.row = row;
    callWith(callback, given, handles[indexes[row]!]!);
  }
  return true;
}

/**
 * Was the value that rows inherit written since a tick, or is it read from elsewhere since then? A change of the prefab is a change of all that
 * inherit it, also along variants.
 *
 * @param from the tick after which changes are unread.
 */
function changedInherited(
  definition: Definition,
  archetype: ArchetypeView,
  from: number,
  { world, index, row }: MatchContext,
): Truth {
  const isUnread = (one: ArchetypeView): boolean => (trackOf(one, definition, "changed")?.last ?? 0) > from;
  if (index === 0) return archetypesOfDefinition(world, definition).some(isUnread) ? MAYBE : NO;
  if ((trackOf(archetype, definition, "changed")?.rows[row] ?? 0) > from) return YES;
  const { partAt } = slotsOf(world).templates!;
  for (let part = partAt(world, index); part !== 0; part = partAt(world, part)) {
    const own = archetypeViewAt(world, part);
    if ((trackOf(own, definition, "changed")?.rows[rowAt(world, part)] ?? 0) > from) return YES;
    if (!inherits(own, definition)) return NO;
  }
  return NO;
}
