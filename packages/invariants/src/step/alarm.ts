/** A component with hooks, which records the calls of its hooks in each world. */
import type { Entity, World } from "@treeline/core";
import { component, isAlive, parentOf, u8, withHooks } from "@treeline/core";

/** One call of a hook. */
export interface HookCall {
  readonly kind: "onSet" | "onRemove";
  readonly entity: Entity;
  readonly level: number;
  /** Of `onSet`: the former level; `undefined` if the entity did not have the component. */
  readonly before: number | undefined;
  /** Of `onRemove`: the parent that the hook received, if it is still the parent of the entity. */
  readonly parent: Entity | "another" | undefined;
}

interface Level {
  readonly level: number;
}

const calls = new WeakMap<World, HookCall[]>();

/** Each clone is one level higher. */
export function raised(level: number): number {
  return (level + 1) % 256;
}

const schema = component("Alarm", { level: u8(3) });

export const Alarm: unknown = withHooks(schema, {
  onSet: (world: World, entity: Entity, { level }: Level, before: Level | undefined) => {
    keep(world, { kind: "onSet", entity, level, before: before?.level, parent: undefined });
  },
  onRemove: (world: World, entity: Entity, { level }: Level, passed: Entity | undefined) => {
    if (!isAlive(world, entity)) return; // a value that a deferred command drops
    const parent = passed === parentOf(world, entity) ? passed : "another";
    keep(world, { kind: "onRemove", entity, level, before: undefined, parent });
  },
  copy: ({ level }: Level) => ({ level: raised(level) }),
});

function keep(world: World, call: HookCall): void {
  const kept = calls.get(world);
  if (kept === undefined) calls.set(world, [call]);
  else kept.push(call);
}

/** The calls of hooks since the last call. */
export function takeCalls(world: World): readonly HookCall[] {
  return calls.get(world)?.splice(0) ?? [];
}
