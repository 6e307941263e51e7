// What time changes (`Battle`): courses, turrets, debris; when shots fall (`SHOT_EVERY`), and ships dock.
import { destroy, type Entity, each, entities, not, type Query, query, type World } from "treeline";
import { Local3D } from "treeline/transform/3d";
import { dock, hit, isFree, leave } from "./battle.ts";
import { Course, Debris, Dock, Docked, Health, Ship, Turning } from "./definitions.ts";
import { between, rotationBetween, turnAround, turned } from "./places.ts";
import { randomOf } from "./random.ts";

/** Seconds between two shots, and between two ships that dock or leave. */
const SHOT_EVERY = 0.5;
const DOCK_EVERY = 2;

/** Moves the fleet. Only local transforms are written: what is below follows. */
export class Battle {
  private readonly world: World;
  private readonly random: () => number;
  private readonly flying;
  private readonly docking;
  private readonly turning;
  private readonly debris;
  private readonly ships: Query;
  private readonly parts: Query;
  private readonly docks: Query;
  private readonly docked: Query;
  private now = 0;

  constructor(world: World, seed = 1) {
    this.world = world;
    this.random = randomOf(seed);
    this.flying = query(world, Course, Local3D, not(Docked));
    this.docking = query(world, Local3D, Docked);
    this.turning = query(world, Turning, Local3D);
    this.debris = query(world, Debris, Local3D);
    this.ships = query(world, Ship, not(Docked));
    this.parts = query(world, Health, not(Debris));
    this.docks = query(world, Dock);
    this.docked = query(world, Docked);
    each(this.flying, (course, local) => {
      local.position = placeAt(course, 0);
      local.rotation = turnAround(angleAt(course, 0));
    });
  }

  /** @param seconds how much later it is. */
  step(seconds: number): void {
    const before = this.now;
    this.now += seconds;
    this.fly(seconds);
    this.turn(seconds);
    this.driftOn(seconds);
    if (passes(before, this.now, SHOT_EVERY)) this.shoot();
    if (passes(before, this.now, DOCK_EVERY)) this.dockOrLeave();
  }

  /** A docked ship leaves; another one goes to the first free dock. */
  toggleDock(ship: Entity): void {
    if ([...entities(this.docked)].includes(ship)) leave(this.world, ship);
    else {
      const free = [...entities(this.docks)].find((one) => isFree(this.world, one));
      if (free !== undefined) dock(this.world, ship, free);
    }
  }

  /** Ships come nearer to their place on the course, those at a dock to its place. */
  private fly(seconds: number): void {
    const share = 1 - Math.exp(-2 * seconds);
    each(this.flying, (course, local) => {
      local.position = between(local.position, placeAt(course, this.now), share);
      local.rotation = rotationBetween(local.rotation, turnAround(angleAt(course, this.now)), share);
    });
    each(this.docking, (local) => {
      local.position = between(local.position, [0, 0, 0], share);
      local.rotation = rotationBetween(local.rotation, [0, 0, 0, 1], share);
    });
  }

  private turn(seconds: number): void {
    each(this.turning, ({ speed }, local) => {
      local.rotation = turned(local.rotation, speed * seconds);
    });
  }

  private driftOn(seconds: number): void {
    const gone: Entity[] = [];
    each(this.debris, (debris, local, entity) => {
      const { velocity, spin } = debris;
      const { position } = local;
      local.position = position.map((from, axis) => from + velocity[axis]! * seconds);
      local.rotation = turned(local.rotation, spin * seconds);
      debris.left -= seconds;
      if (debris.left <= 0) gone.push(entity);
    });
    for (const entity of gone) destroy(this.world, entity);
  }

  private shoot(): void {
    const part = this.oneOf(this.parts);
    if (part !== undefined) hit(this.world, part, 60);
  }

  private dockOrLeave(): void {
    const ship = this.oneOf(this.random() < 0.3 ? this.docked : this.ships);
    if (ship !== undefined) this.toggleDock(ship);
  }

  private oneOf(from: Query): Entity | undefined {
    const all = [...entities(from)];
    return all[Math.floor(this.random() * all.length)];
  }
}

interface Circle {
  readonly radius: number;
  readonly height: number;
  readonly angle: number;
  readonly speed: number;
}

/** The speed is in metres a second along the circle. */
function angleAt({ radius, angle, speed }: Circle, time: number): number {
  return angle + (speed / radius) * time;
}

/** A ship flies towards its own -z, so that it turns as its angle grows. */
function placeAt(course: Circle, time: number): Float32Array {
  const angle = angleAt(course, time);
  return Float32Array.of(course.radius * Math.cos(angle), course.height, -course.radius * Math.sin(angle));
}

function passes(before: number, now: number, every: number): boolean {
  return Math.floor(before / every) < Math.floor(now / every);
}
