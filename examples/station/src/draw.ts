// The station as a drawing (`drawStation`): its rooms with their air, and who is there.
import { children, type Entity, get, has, Name, subjectsOf, type World } from "treeline";
import { Air, Crate, DockedTo, Room } from "./station.ts";

const BAR = 10;
const NAMES = 12;

/** The station as a drawing: a line for each section and room, with its air and who is there. */
export function drawStation(world: World, station: Entity): string[] {
  const lines = [get(world, station, Name)!];
  const sections = children(world, station);
  for (const section of sections) {
    const isLast = section === sections.at(-1);
    lines.push(`${isLast ? "└─" : "├─"} ${get(world, section, Name)}`);
    const rooms = children(world, section).filter((one) => has(world, one, Room));
    for (const room of rooms)
      lines.push(`${isLast ? " " : "│"}  ${room === rooms.at(-1) ? "└─" : "├─"} ${roomText(world, room)}`);
  }
  return lines;
}

function roomText(world: World, room: Entity): string {
  const { level } = get(world, room, Air)!;
  const full = Math.round((level / 100) * BAR);
  const bar = get(world, room, Room)!.fill.repeat(full) + "░".repeat(BAR - full);
  const there = [...children(world, room), ...subjectsOf(world, room, DockedTo)];
  const name = get(world, room, Name)!.padEnd(NAMES);
  return `${name}${bar} ${String(Math.round(level)).padStart(3)} %  ${listText(world, there)}`.trimEnd();
}

/** Names, with what they carry; crates are only counted. */
function listText(world: World, entities: readonly Entity[]): string {
  const texts = entities
    .filter((one) => !has(world, one, Crate))
    .map((one) => {
      const inside = children(world, one);
      return `${get(world, one, Name)}${inside.length === 0 ? "" : ` (${listText(world, inside)})`}`;
    });
  const crates = entities.length - texts.length;
  if (crates > 0) texts.push(crates === 1 ? "1 crate" : `${crates} crates`);
  return texts.join(", ");
}
