/**
 * becsy: one frame of the library per game frame: one system does the work, a second one has the live queries. References to
 * parents, with the references back, are its relation; nodes come from an ordered query, for which the program sets the depth of
 * each. Vectors would be read number by number as well: matrices are plain fields.
 */
import { type Entity, System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
import { framePlanOf, LIVE_QUERIES, type Round, sumOfFrame } from "../../game-frame/work.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";

const { float32 } = Type;
const SPACE = { x: float32, y: float32, z: float32 };
const NINE = {
  ...{ m0: float32, m1: float32, m2: float32, m3: float32, m4: float32 },
  ...{ m5: float32, m6: float32, m7: float32, m8: float32 },
};

class Position {
  static readonly schema = SPACE;
  declare x: number;
  declare y: number;
  declare z: number;
}
class Velocity {
  static readonly schema = SPACE;
  declare x: number;
  declare y: number;
  declare z: number;
}
class Basis {
  static readonly schema = NINE;
  declare m0: number;
  declare m1: number;
  declare m2: number;
  declare m3: number;
  declare m4: number;
  declare m5: number;
  declare m6: number;
  declare m7: number;
  declare m8: number;
}
class Place {
  static readonly schema = { ...NINE, m9: float32, m10: float32, m11: float32 };
  declare m0: number;
  declare m1: number;
  declare m2: number;
  declare m3: number;
  declare m4: number;
  declare m5: number;
  declare m6: number;
  declare m7: number;
  declare m8: number;
  declare m9: number;
  declare m10: number;
  declare m11: number;
}
class Depth {
  static readonly schema = { value: Type.uint32 };
  declare value: number;
}
class Child {
  static readonly schema = { parent: Type.ref };
  declare parent: Entity | undefined;
}
class Parent {
  static readonly schema = { children: Type.backrefs() };
  declare children: Entity[];
}

function placeRoot(place: Place, basis: Basis, position: Position): void {
  place.m0 = basis.m0;
  place.m1 = basis.m1;
  place.m2 = basis.m2;
  place.m3 = basis.m3;
  place.m4 = basis.m4;
  place.m5 = basis.m5;
  place.m6 = basis.m6;
  place.m7 = basis.m7;
  place.m8 = basis.m8;
  place.m9 = position.x;
  place.m10 = position.y;
  place.m11 = position.z;
}

function placeBelow(place: Place, above: Place, basis: Basis, { x, y, z }: Position): void {
  const { m0: a0, m1: a1, m2: a2, m3: a3, m4: a4, m5: a5, m6: a6, m7: a7, m8: a8 } = above;
  const { m0: x0, m1: y0, m2: z0, m3: x1, m4: y1, m5: z1, m6: x2, m7: y2, m8: z2 } = basis;
  const { m9, m10, m11 } = above;
  place.m0 = a0 * x0 + a3 * y0 + a6 * z0;
  place.m1 = a1 * x0 + a4 * y0 + a7 * z0;
  place.m2 = a2 * x0 + a5 * y0 + a8 * z0;
  place.m3 = a0 * x1 + a3 * y1 + a6 * z1;
  place.m4 = a1 * x1 + a4 * y1 + a7 * z1;
  place.m5 = a2 * x1 + a5 * y1 + a8 * z1;
  place.m6 = a0 * x2 + a3 * y2 + a6 * z2;
  place.m7 = a1 * x2 + a4 * y2 + a7 * z2;
  place.m8 = a2 * x2 + a5 * y2 + a8 * z2;
  place.m9 = a0 * x + a3 * y + a6 * z + m9;
  place.m10 = a1 * x + a4 * y + a7 * z + m10;
  place.m11 = a2 * x + a5 * y + a8 * z + m11;
}

/** The system's part of a frame. */
type Job = (system: System, moving: readonly Entity[], nodes: readonly Entity[]) => void;

export async function frame(given: Given<"frame">): Promise<Subject> {
  const plan = framePlanOf(given);
  const { slots, parents, moves } = plan;
  let job: Job = () => {};
  let watch: Watch | undefined;

  class Work extends System {
    readonly moving = this.query((all) => all.current.with(Velocity).and.with(Position).write);
    readonly nodes = this.query(
      (all) =>
        all.current
          .with(Position, Basis, Depth)
          .and.with(Place)
          .write.orderBy((node) => node.read(Depth).value).usingAll.write,
    );
    override execute(): void {
      job(this, this.moving.current, this.nodes.current);
    }
  }
  class Watch extends System {
    readonly live = Array.from({ length: LIVE_QUERIES }, () => {
      return this.query((all) => all.current.with(Position));
    });
    readonly order = this.schedule((when) => when.after(Work));
    override initialize(): void {
      watch = this;
    }
  }
  const most = slots * 2;
  const world = await World.create({
    maxEntities: most,
    maxLimboComponents: most * 8,
    maxShapeChangesPerFrame: most * 8,
    maxRefChangesPerFrame: most * 8,
    defaultComponentStorage: "sparse",
    defs: [Position, Velocity, Basis, Place, Depth, Child, Parent, Work, Watch],
  });
  const runFrame = async (next: Job): Promise<void> => {
    job = next;
    await world.execute();
  };

  /** Slot -> entity. */
  const handles: Entity[] = [];
  const bear = (system: System, slot: number, parent: Entity | undefined): void => {
    const { px, py, pz, vx, vy, vz, basis } = plan;
    const entity = system.createEntity(Position, { x: px[slot]!, y: py[slot]!, z: pz[slot]! }, Place, Parent);
    const own = Object.fromEntries(Object.keys(NINE).map((name, at) => [name, basis[slot * 9 + at]!]));
    entity.add(Basis, own);
    if (moves[slot] === 1) entity.add(Velocity, { x: vx[slot]!, y: vy[slot]!, z: vz[slot]! });
    entity.add(Child, { parent });
    entity.add(Depth, { value: parent === undefined ? 0 : parent.read(Depth).value + 1 });
    handles[slot] = entity.hold();
  };
  await runFrame((system) => {
    parents.forEach((parent, slot) => {
      bear(system, slot, handles[parent]);
    });
  });
  await runFrame(() => {});

  let round: Round = plan.rounds[0]!;
  const frameJob: Job = (system, moving, nodes) => {
    for (const entity of moving) {
      const position = entity.write(Position);
      const velocity = entity.read(Velocity);
      position.x += velocity.x;
      position.y += velocity.y;
      position.z += velocity.z;
    }
    for (const node of nodes) {
      const { parent } = node.read(Child);
      const place = node.write(Place);
      const basis = node.read(Basis);
      const position = node.read(Position);
      if (parent === undefined) placeRoot(place, basis, position);
      else placeBelow(place, parent.read(Place), basis, position);
    }
    const { movers, goals, victims, homes } = round;
    for (let at = 0; at < movers.length; at++) {
      const mover = handles[movers[at]!]!;
      mover.write(Child).parent = handles[goals[at]!]!;
      mover.write(Depth).value = 1;
    }
    for (let at = 0; at < victims.length; at++) handles[victims[at]!]!.delete();
    for (let at = 0; at < victims.length; at++) bear(system, victims[at]!, handles[homes[at]!]!);
  };
  let next = 0;
  return {
    run: async () => {
      round = plan.rounds[next++ % plan.rounds.length]!;
      await runFrame(frameJob);
    },
    checksum: () => {
      const slotOf = new Map(handles.map(({ ordinal }, slot) => [ordinal, slot]));
      return sumOfFrame(plan, {
        parentOf: (slot) => {
          const { parent } = handles[slot]!.read(Child);
          return parent === undefined ? -1 : slotOf.get(parent.ordinal)!;
        },
        read: (slot, into) => {
          const { m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11 } = handles[slot]!.read(Place);
          into.set([m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11]);
          const { x, y, z } = handles[slot]!.read(Position);
          into.set([x, y, z], 12);
        },
        matches: () => watch!.live.reduce((sum, { current }) => sum + current.length, 0),
      });
    },
  };
}
