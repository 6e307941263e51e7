import { component, type Entity, isAlive, withHooks } from "../../../../src/index.ts";

/** The calls of the hooks: [hook, entity, value, parent]. */
export type Call = [hook: string, entity: Entity | undefined, value: unknown, parent: Entity | undefined];
export let calls: Call[] = [];

/** Clears the calls. */
export function forgetCalls(): void {
  calls = [];
}

export const Label = withHooks(component<string | undefined>("Label"), {
  check: (_, entity, value, parent) => {
    calls.push(["check", entity, value, parent]);
  },
  written: (_, entity, value, parent) => calls.push(["written", entity, value, parent]),
  onRemove: (world, entity, value, parent) => {
    calls.push(["removed", entity, value, parent]);
    if (!isAlive(world, entity)) calls.push(["too late", entity, value, parent]);
  },
});
export const Second = withHooks(component<string>("Second"), {
  check: (_, entity, value, parent) => {
    calls.push(["second check", entity, value, parent]);
  },
  written: (_, entity, value, parent) => calls.push(["second written", entity, value, parent]),
});
