// Values that come down the tree: parents are always iterated before their children.
import {
  ChildOf,
  cascade,
  component,
  createWorld,
  each,
  get,
  lookup,
  Name,
  query,
  set,
  spawn,
} from "treeline";

const Local = component("Local", { x: 0, y: 0 }); // from the parent
const Global = component("Global", { x: 0, y: 0 });

const world = createWorld();
const sun = spawn(world, Name("Sun"), Local({ x: 100, y: 100 }), Global);
const earth = spawn(world, Name("Earth"), ChildOf(sun), Local({ x: 50 }), Global);
spawn(world, Name("Moon"), ChildOf(earth), Local({ y: 8 }), Global);

const placed = query(world, Local, Global, cascade(Global));
function place(): void {
  each(placed, (local, global, above) => {
    global.x = local.x + (above?.x ?? 0);
    global.y = local.y + (above?.y ?? 0);
  });
}

place();
const moon = lookup(world, "Sun::Earth::Moon")!;
console.log(get(world, moon, Global));

set(world, sun, Local, { x: 0 });
place();
console.log(get(world, moon, Global)); // it has moved with the sun
