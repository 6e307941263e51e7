import { ChildOf, configureNames, createWorld, Name, observe, spawn } from "treeline";

export const world = createWorld();
configureNames(world, { collisions: "suffix" }); // a second "New" becomes "New (2)"
export const list = spawn(world, Name("Things to do"));
spawn(world, Name("Plant a tree"), ChildOf(list));

/** What the page shows. */
const changes = { set: Name, added: ChildOf, removed: ChildOf };
let version = 0;
observe(world, changes, () => {
  version += 1;
});

/** For `useSyncExternalStore`. */
export const getVersion = () => version;
export const subscribe = (changed: () => void) => observe(world, changes, changed, { after: true });
