import { type Entity, observe, spawn, type World, type WorldEvent } from "@treeline/core";
import { ChildOf, Parent } from "../public/builtins.ts";
import { component, createWorld } from "../public/define.ts";
import { f64 } from "../public/fields.ts";

export const Weight = component("Weight", { kilos: f64 });
export const Tone = component<string>("Tone");

export const STORAGES = [
  ["ChildOf", ChildOf, ChildOf],
  ["Parent", Parent, Parent],
  ["both storages", ChildOf, Parent],
] as const;

export interface Siblings {
  readonly world: World;
  readonly ship: Entity;
  /** Four children of the ship, in order. */
  readonly crew: readonly [Entity, Entity, Entity, Entity];
  /** A root. */
  readonly dock: Entity;
  readonly observed: string[];
}

export function plantSiblings(one: typeof ChildOf = ChildOf, other: typeof ChildOf = one): Siblings {
  const world = createWorld();
  const ship = spawn(world);
  const dock = spawn(world);
  const crew = [one, other, other, one].map((storage) =>
    spawn(world, storage(ship)),
  ) as unknown as Siblings["crew"];
  const observed: string[] = [];
  const record = ({ kind, entity, target }: WorldEvent): number =>
    observed.push(`${kind} ${entity} ${target}`);
  observe(world, { added: ChildOf, removed: ChildOf, reordered: ChildOf(ship) }, record);
  return { world, ship, crew, dock, observed };
}
