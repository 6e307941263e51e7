// Custom events (`event`); refuses an empty name.
import { requireName } from "./definition.ts";

declare const valueBrand: unique symbol;

/** A custom event with a value: `emit` sends it, `observe` receives it. It is not stored on entities. */
export interface CustomEvent<Value = undefined> {
  readonly kind: "event";
  readonly name: string;
  /** Never set; carries the type. */
  readonly [valueBrand]?: { readonly value: Value };
}

/**
 * Defines a custom event. Define it once, at module level; all worlds can use it.
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

/** Whether `event` returned it. Accepts any value. */
export function isEvent(what: unknown): what is CustomEvent<unknown> {
  return typeof what === "object" && what !== null && (what as Partial<CustomEvent>).kind === "event";
}
