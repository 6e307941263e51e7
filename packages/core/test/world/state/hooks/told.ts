import { component, type Entity, isAlive, withHooks } from "../../../../src/index.ts";

/** What the hooks were told: [hook, entity, value, parent]. */
export type Told = [hook: string, entity: Entity | undefined, value: unknown, parent: Entity | undefined];
export let told: Told[] = [];

/** As if nothing had been told yet. */
export function forget(): void {
  told = [];
}

export const Label = withHooks(component<string | undefined>("Label"), {
  check: (_, entity, value, parent) => {
    told.push(["check", entity, value, parent]);
  },
  written: (_, entity, value, parent) => told.push(["written", entity, value, parent]),
  onRemove: (world, entity, value, parent) => {
    told.push(["removed", entity, value, parent]);
    if (!isAlive(world, entity)) told.push(["too late", entity, value, parent]);
  },
});
export const Second = withHooks(component<string>("Second"), {
  check: (_, entity, value, parent) => {
    told.push(["second check", entity, value, parent]);
  },
  written: (_, entity, value, parent) => told.push(["second written", entity, value, parent]),
});
