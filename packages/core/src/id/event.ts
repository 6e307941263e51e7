import { requireName } from "./definition.ts";

/** An event of the program's own, told with a value: `emit` tells it, `observe` hears it. No entity has it. */
export interface CustomEvent<Value = undefined> {
  readonly kind: "event";
  readonly name: string;
  /** Never there; carries the type. */
  readonly types?: { readonly value: Value };
}

/**
 * Defines an event of the program's own; once, at module level, for all worlds.
 *
 * @throws TreelineError `bad-definition` for an empty name.
 *
 * @example
 * const Hit = event<{ amount: number }>("Hit");
 * observe(world, { emitted: Hit }, ({ entity, value }) => set(world, entity, Damage, value));
 * emit(world, ship, Hit, { amount: 3 });
 */
export function event<Value = undefined>(name: string): CustomEvent<Value> {
  requireName(name, "an event");
  return { kind: "event", name };
}

/** Is it what `event` gave? Takes anything. */
export function isEvent(what: unknown): what is CustomEvent<unknown> {
  return typeof what === "object" && what !== null && (what as Partial<CustomEvent>).kind === "event";
}
