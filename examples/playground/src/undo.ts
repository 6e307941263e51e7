// Undo by snapshots of the whole world: each is what the world was before a change.
import { ChildOf, component, createWorld, destroy, each, Name, pathOf, query, set, spawn } from "treeline";
import { restore, type Snapshot, snapshot } from "treeline/document/snapshot";

const Position = component("Position", { x: 0, y: 0 });
const world = createWorld();
const ship = spawn(world, Name("Ship"), Position);
const turret = spawn(world, Name("Turret"), ChildOf(ship), Position({ y: 2 }));

const done: Snapshot[] = [];
const undone: Snapshot[] = [];

function change(what: () => void): void {
  done.push(snapshot(world));
  undone.length = 0;
  what();
}
function goTo(from: Snapshot[], to: Snapshot[]): void {
  const state = from.pop();
  if (state === undefined) return;
  to.push(snapshot(world));
  restore(world, state);
}
const undo = (): void => goTo(done, undone);
const redo = (): void => goTo(undone, done);

const all = query(world, Position);
function show(what: string): void {
  const places: string[] = [];
  each(all, ({ x, y }, entity) => places.push(`${pathOf(world, entity)} ${x},${y}`));
  console.log(`${what}: ${places.join("  ") || "nothing"}`);
}

change(() => set(world, turret, Position, { x: 7 }));
show("moved");
change(() => destroy(world, ship));
show("destroyed");
undo();
show("undone");
undo();
show("undone");
redo();
show("done again");
