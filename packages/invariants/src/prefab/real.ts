/** How the real world takes the steps of walks over prefabs. */

import * as core from "@treeline/core";
import { checksum, restore, type Snapshot, snapshot } from "@treeline/document/snapshot";
import * as prefabs from "@treeline/prefab";
import { PrefabKey } from "@treeline/prefab/document";
import * as queries from "@treeline/query";
import * as hierarchy from "@treeline/query/hierarchy";
import type { Step } from "./step.ts";
import { isEntityField, prefabRoot, type State, twinOf, type Value } from "./twin.ts";

const { bits, component, entity, f32, relation, sparse, tag } = core;

type AnyComponent = core.SchemaComponent<core.Schema>;

/** The definitions by the names of the twin. */
const DEFINITIONS: { readonly [name: string]: unknown } = {
  Position: component("Position", { x: f32, y: 0 }),
  Title: component<string>("Title"),
  Aim: component("Aim", { at: entity }),
  Fuel: component("Fuel", { litres: f32 }, { storage: sparse }),
  Armed: tag("Armed"),
  Lit: tag("Lit", { storage: bits }),
  Mesh: component("Mesh", { lod: f32(1), id: f32 }, { onInstantiate: "inherit" }),
  Paint: component<string>("Paint", undefined, { onInstantiate: "inherit" }),
  Heavy: tag("Heavy", { onInstantiate: "inherit" }),
  Notes: component("Notes", { length: 0 }, { onInstantiate: "skip" }),
  Draft: tag("Draft", { onInstantiate: "skip" }),
};
const PAIRS: { readonly [name: string]: core.Relation } = {
  Near: relation("Near"),
  Drives: relation("Drives", { exclusive: true }),
  Wire: relation("Wire", { fields: { via: entity, length: f32 } }) as never,
};

/** Tags as well, and relations: the walks use them alike. */
export function definitionOf(name: string): core.Component<{ [field: string]: unknown }> {
  return (DEFINITIONS[name] ?? PAIRS[name]) as never;
}

export function relationOf(name: string): core.Relation {
  return PAIRS[name]!;
}

export interface Real {
  readonly world: core.World;
  /** A query that matches one entity, for steps that are taken inside an iteration. */
  readonly one: queries.Query;
  taken: Snapshot | undefined;
}

const Probe = tag("Probe");

export function createReal(): Real {
  const world = core.createWorld();
  core.spawn(world, Probe);
  return { world, one: queries.query(world, Probe), taken: undefined };
}

const handle = (state: State, id: number): core.Entity => twinOf(state, id).handle as core.Entity;

function valueIn(state: State, name: string, value: Value): unknown {
  if (!isEntityField(name)) return value;
  const { at } = value as { readonly at?: number };
  if (at === undefined) return {};
  return { at: at === 0 || !state.twins.has(at) ? undefined : handle(state, at) };
}

function termFor(state: State, name: string, value: Value): core.SpawnTerm {
  const definition = definitionOf(name);
  if (value === true) return definition as core.SpawnTerm;
  return (definition as unknown as AnyComponent)(valueIn(state, name, value) as never);
}

function pairFor(
  state: State,
  { relation, target, link = {} }: Step & { readonly verb: "pair" | "unpair" },
): core.SpawnTerm {
  const { via, ...others } = link;
  const isAlive = via !== undefined && state.twins.has(via);
  const value = { ...others, ...(via !== undefined && { via: isAlive ? handle(state, via) : undefined }) };
  const pair = relationOf(relation) as unknown as (target: core.Entity, value?: object) => core.SpawnTerm;
  return relation === "Wire" ? pair(handle(state, target), value) : pair(handle(state, target));
}

/**
 * Takes a step in the real world.
 * @param state the twin as it was before the step. @returns the entities that were made, as far as the call returns them.
 */
export function takeReal(real: Real, state: State, step: Step): core.Entity[] {
  if (step.isDeferred !== true) return call(real, state, step);
  let made: core.Entity[] = [];
  if (step.at % 2 === 0) made = core.defer(real.world, () => call(real, state, step));
  else
    queries.each(real.one, () => {
      made = call(real, state, step);
    });
  return made;
}

/** Does a prefab follow itself? So it does if a part of an instance was moved into it: then an edit arrives step by step. */
function isInCircle(state: State): boolean {
  return [...state.twins].some(
    ([id, { made }]) => made !== undefined && prefabRoot(state, id) === made.root && id !== made.root,
  );
}

function call({ world }: Real, state: State, step: Step): core.Entity[] {
  const of = (id: number): core.Entity => handle(state, id);
  const storageOf = (isByValue: boolean): core.Relation => (isByValue ? core.Parent : core.ChildOf);
  switch (step.verb) {
    case "spawn": {
      const terms: core.SpawnTerm[] =
        step.parent === undefined ? [] : [storageOf(step.isByValue)(of(step.parent))];
      return [step.isPrefab ? prefabs.prefab(world, ...terms) : core.spawn(world, ...terms)];
    }
    case "set": {
      const { id, name, value } = step;
      if (value === true) core.add(world, of(id), definitionOf(name));
      else if (step.at % 3 === 0) core.add(world, of(id), termFor(state, name, value));
      else core.set(world, of(id), definitionOf(name) as never, valueIn(state, name, value) as never);
      return [];
    }
    case "patch":
      if (core.has(world, of(step.id), definitionOf(step.name)))
        core.patch(world, of(step.id), definitionOf(step.name), (row) => {
          row[step.field] = step.value;
        });
      return [];
    case "remove":
      core.remove(world, of(step.id), definitionOf(step.name));
      return [];
    case "pair":
      core.add(world, of(step.id), pairFor(state, step));
      return [];
    case "unpair":
      core.remove(world, of(step.id), relationOf(step.relation)(of(step.target)));
      return [];
    case "attach":
      hierarchy.attach(world, of(step.id), of(step.parent), storageOf(step.isByValue));
      return [];
    case "detach":
      hierarchy.detach(world, of(step.id));
      return [];
    case "destroy":
      queries.destroy(world, of(step.id));
      return [];
    case "move": {
      const parent = core.parentOf(world, of(step.id));
      if (parent === undefined) return [];
      const others = queries.children(world, parent).filter((child) => child !== of(step.id));
      queries.setChildOrder(world, parent, others.toSpliced(step.place, 0, of(step.id)));
      return [];
    }
    case "instantiate": {
      const { prefab, count, parent, isByValue } = step;
      return prefabs.instantiate(world, of(prefab), {
        count,
        ...(parent !== undefined && { parent: of(parent) }),
        ...(isByValue !== undefined && { storage: storageOf(isByValue) }),
        ...(step.with && { with: step.with.map(([name, value]) => termFor(state, name, value)) }),
      });
    }
    case "key":
      if (step.key === undefined) core.remove(world, of(step.id), PrefabKey);
      else if (step.at % 2 === 0) core.add(world, of(step.id), PrefabKey(step.key));
      else core.set(world, of(step.id), PrefabKey, step.key);
      return [];
    case "isA":
      core.add(world, of(step.id), prefabs.IsA(of(step.base)));
      return [];
    case "notA":
      core.remove(world, of(step.id), prefabs.IsA(of(step.base)));
      return [];
    case "prefab":
      core.add(world, of(step.id), prefabs.Prefab);
      return [];
    case "noPrefab":
      core.remove(world, of(step.id), prefabs.Prefab);
      return [];
    case "refresh": {
      prefabs.refreshInstances(world, of(step.id));
      if (isInCircle(state)) return [];
      const once = checksum(world);
      prefabs.refreshInstances(world, of(step.id));
      if (checksum(world) !== once) throw new Error("a second refreshInstances has changed something");
      return [];
    }
    case "revert":
      prefabs.revert(world, of(step.id), definitionOf(step.name));
      return [];
    case "revertAll":
      prefabs.revert(world, of(step.id));
      return [];
    case "apply":
      prefabs.applyToPrefab(
        world,
        of(step.id),
        step.name === undefined ? undefined : definitionOf(step.name),
      );
      return [];
    case "autoOverride":
      prefabs.autoOverride(world, of(step.id), definitionOf(step.name), step.isOn);
      return [];
    default:
      return [];
  }
}

export function takeSnapshot(real: Real): void {
  real.taken = snapshot(real.world);
}

export function restoreSnapshot(real: Real): void {
  restore(real.world, real.taken!);
}
