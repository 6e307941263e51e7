// The components and relations of a fleet (`MemberOf`, `DockedTo`), and its entities (`createFleet`).
import { ChildOf, component, createWorld, f32, Name, relation, spawn, tag, type World } from "treeline";

export const Position = component("Position", { x: f32, y: f32 });
export const Fuel = component("Fuel", { tons: f32 });
/** How bright a ship or a room is, and everything inside that has no light of its own. */
export const Light = component("Light", { level: f32 });
export const Room = tag("Room");
export const Team = tag("Team");
export const MemberOf = relation("MemberOf", { exclusive: true });
/** Ships dock at stations, and small ones at large ones. */
export const DockedTo = relation("DockedTo", { exclusive: true });

export function createFleet(): World {
  const world = createWorld();
  const red = spawn(world, Name("Red"), Team);
  const blue = spawn(world, Name("Blue"), Team);
  const station = spawn(world, Name("Station"), Position);

  const ship = (name: string, tons: number, x: number) =>
    [Name(name), Fuel({ tons }), Position({ x })] as const;
  const aurora = spawn(
    world,
    ...ship("Aurora", 12, 1),
    Light({ level: 80 }),
    MemberOf(red),
    DockedTo(station),
  );
  const borealis = spawn(
    world,
    ...ship("Borealis", 40, 2),
    Light({ level: 60 }),
    MemberOf(blue),
    DockedTo(station),
  );
  spawn(world, ...ship("Comet", 3, 1), MemberOf(red), DockedTo(aurora));
  spawn(world, ...ship("Dart", 5, 2), MemberOf(red), DockedTo(borealis));
  spawn(world, ...ship("Ember", 25, 9), MemberOf(blue));

  const hold = spawn(world, Name("Hold"), Room, Light({ level: 10 }), ChildOf(aurora));
  spawn(world, Name("Locker"), Room, ChildOf(hold));
  for (const parent of [aurora, borealis]) spawn(world, Name("Bridge"), Room, ChildOf(parent));
  return world;
}
