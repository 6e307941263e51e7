/**
 * Random walks over pending entities: inside iterations, entities are spawned, given more, and used, and a naive twin says what is read
 * of them right there. When the iteration has ended, the same must be read, and `verify` finds nothing.
 *
 * @example
 * pendingWalk(7, 6); // throws at the first difference
 */

import {
  Any,
  add,
  addMany,
  applyCommands,
  array,
  bits,
  ChildOf,
  clear,
  clone,
  component,
  componentsOf,
  createCommands,
  createWorld,
  defer,
  type Entity,
  f32,
  field,
  get,
  has,
  Parent,
  parentOf,
  patch,
  record,
  relation,
  remove,
  reparentMany,
  set,
  sparse,
  spawn,
  spawnMany,
  tag,
  tagsOf,
  targetsOf,
  u8,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { each, query } from "@treeline/query";
import {
  Local3D,
  lookAt,
  reparentInPlace,
  setWorld,
  translateWorld,
  World3D,
  worldOf,
} from "@treeline/transform/3d";
import { createDice, type Dice } from "../base/dice.ts";

const Place = component("Place", { x: f32, y: u8, list: array(f32, 2, [1, 2]) });
const Charge = component("Charge", { volts: f32(5) }, { storage: sparse });
const Enemy = tag("Enemy");
const Chosen = tag("Chosen", { storage: bits });
const Likes = relation("Likes");
const Docks = relation("Docks", { exclusive: true, fields: { berth: u8 } });
const Sees = relation("Sees", { storage: sparse });

interface PlaceRow {
  x: number;
  y: number;
  list: number[];
}

/** What an entity should have. */
interface Twin {
  place: PlaceRow | undefined;
  volts: number | undefined;
  tags: Set<typeof Enemy>;
  likes: Entity[];
  sees: Entity[];
  dock: { target: Entity; berth: number } | undefined;
  parent: { target: Entity; byValue: boolean } | undefined;
}

function createTwin(): Twin {
  return {
    place: undefined,
    volts: undefined,
    tags: new Set(),
    likes: [],
    sees: [],
    dock: undefined,
    parent: undefined,
  };
}

const bySize = (one: { id: number }, other: { id: number }): number => one.id - other.id;

function expected(twin: Twin): unknown {
  const { place, volts, tags, likes, sees, dock, parent } = twin;
  const list = place?.list.map(Math.fround);
  return {
    place: place && { x: Math.fround(place.x), y: place.y, list },
    x: place && Math.fround(place.x),
    volts: volts && Math.fround(volts),
    tags: [...tags].sort(bySize).map(({ name }) => name),
    likes,
    sees: [...sees].sort(),
    dock,
    parent: parent && [parent.target, parent.byValue],
    held: [place && "Place", volts === undefined ? undefined : "Charge"].filter((one) => one !== undefined),
    any: likes.length + sees.length > 0 || dock !== undefined || parent !== undefined,
  };
}

const x = field(Place, "x");

function actual(world: World, one: Entity): unknown {
  const place = get(world, one, Place);
  const [dock] = targetsOf(world, one, Docks);
  const parent = parentOf(world, one);
  return {
    place: place && { x: place.x, y: place.y, list: [...place.list] },
    x: x.get(world, one),
    volts: get(world, one, Charge)?.volts,
    tags: tagsOf(world, one).map((held) => ("name" in held ? held.name : "?")),
    likes: targetsOf(world, one, Likes),
    sees: targetsOf(world, one, Sees).sort(),
    dock: dock && { target: dock, berth: get(world, one, Docks(dock))!.berth },
    parent: parent && [parent, has(world, one, Parent(parent))],
    held: componentsOf(world, one)
      .map(({ name }) => name)
      .filter((name) => name === "Place" || name === "Charge"),
    any: has(world, one, Any(Any)),
  };
}

class PendingWalk {
  readonly world: World = createWorld();
  private readonly dice: Dice;
  private readonly twins = new Map<Entity, Twin>();
  private readonly placed = new Map<Entity, readonly number[]>();
  /** Entities with rows, as targets. */
  private readonly settled: Entity[];
  /** Those of the present iteration, each below others that come before it only. */
  private fresh: Entity[] = [];

  constructor(seed: number) {
    this.dice = createDice(seed);
    const place = Local3D({ position: [3, 1, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] });
    this.settled = spawnMany(this.world, 4, place, World3D);
  }

  /** One iteration, or one recording, with some changes. */
  round(): void {
    const { world, dice } = this;
    this.fresh = [];
    this.placed.clear();
    const changes = 4 + dice.below(14);
    const run = (): void => {
      for (let change = 0; change < changes; change++) this.change();
    };
    const way = dice.below(3);
    if (way === 0) defer(world, run);
    else if (way === 1) {
      let isDone = false;
      each(query(world, World3D), () => {
        if (!isDone) run();
        isDone = true;
      });
    } else {
      const commands = createCommands(world);
      record(commands, run);
      if (dice.chance(0.5)) record(commands, run);
      applyCommands(commands);
    }
    for (const one of this.fresh) this.compare(one, "after the iteration");
    for (const [one, matrix] of this.placed) close(worldOf(world, one), matrix);
    const [broken] = verify(world);
    if (broken !== undefined) throw new Error(broken);
  }

  private change(): void {
    const { dice, fresh } = this;
    const one = fresh.length === 0 || dice.chance(0.25) ? this.spawn() : dice.pick(fresh);
    if (dice.chance(0.8)) this.alter(one);
    this.compare(one, "inside");
  }

  private compare(one: Entity, when: string): void {
    const is = JSON.stringify(actual(this.world, one));
    const shouldBe = JSON.stringify(expected(this.twins.get(one)!));
    if (is !== shouldBe) throw new Error(`${when}, entity ${one} has\n${is}\nshould have\n${shouldBe}`);
  }

  private target(): Entity {
    return this.dice.pick(this.settled);
  }

  private spawn(): Entity {
    const { world, dice, twins, fresh } = this;
    let one: Entity;
    const twin = createTwin();
    if (fresh.length > 0 && dice.chance(0.2)) {
      const original = dice.pick(fresh);
      one = clone(world, original, { with: [Enemy] });
      const { place, tags, likes, sees } = twins.get(original)!;
      Object.assign(twin, { ...twins.get(original)!, place: place && { ...place, list: [...place.list] } });
      Object.assign(twin, { tags: new Set([...tags, Enemy]), likes: [...likes], sees: [...sees] });
    } else {
      const target = this.target();
      const y = dice.below(200);
      twin.tags.add(Chosen);
      if (dice.chance(0.5)) {
        twin.place = { x: 0.1, y, list: [1, 2] };
        twin.parent = { target, byValue: dice.chance(0.3) };
        const storage = twin.parent.byValue ? Parent : ChildOf;
        one = spawn(world, Chosen, Place({ x: 0.1, y }), storage(target), Local3D, World3D);
      } else {
        twin.likes.push(target);
        twin.dock = { target, berth: y };
        one = spawnMany(world, 2, Chosen, Likes(target), Docks(target, { berth: y }), Local3D, World3D)[1]!;
      }
    }
    twins.set(one, twin);
    fresh.push(one);
    return one;
  }

  private alter(one: Entity): void {
    const { world, dice, twins } = this;
    const twin = twins.get(one)!;
    const target = this.target();
    const number = dice.below(200);
    const place = (): PlaceRow => (twin.place ??= { x: 0, y: 0, list: [1, 2] });
    const unplaced = (): void => void this.placed.delete(one);
    const changes: (() => void)[] = [
      () => {
        set(world, one, Place, { y: number });
        place().y = number;
      },
      () => {
        x.set(world, one, number / 7);
        place().x = number / 7;
      },
      () => {
        field(Place, "list", 1).set(world, one, number);
        place().list[1] = number;
      },
      () => {
        const isThere = patch(world, one, Place, (row) => {
          row.x += 1;
          row.list[0] = row.y;
        });
        if (isThere !== (twin.place !== undefined)) throw new Error("patch has returned something else");
        if (twin.place === undefined) return;
        twin.place.x = Math.fround(twin.place.x) + 1;
        twin.place.list[0] = twin.place.y;
      },
      () => {
        add(world, one, Enemy, Place, Likes(target));
        place();
        twin.tags.add(Enemy);
        if (!twin.likes.includes(target)) twin.likes.push(target);
      },
      () => {
        set(world, one, Charge, { volts: number });
        twin.volts = number;
      },
      () => {
        add(world, one, Sees(target), Docks(target, { berth: number }));
        if (!twin.sees.includes(target)) twin.sees.push(target);
        twin.dock = { target, berth: number };
      },
      () => {
        remove(world, one, Place, Enemy, Likes(target), Sees(Any));
        twin.place = undefined;
        twin.tags.delete(Enemy);
        twin.likes = twin.likes.filter((liked) => liked !== target);
        twin.sees = [];
      },
      () => {
        remove(world, one, ChildOf(Any));
        twin.parent = undefined;
        unplaced();
      },
      () => {
        remove(world, one, Docks(Any));
        twin.dock = undefined;
      },
      () => {
        const byValue = dice.chance(0.5);
        add(world, one, (byValue ? Parent : ChildOf)(target));
        twin.parent = { target, byValue };
        unplaced();
      },
      () => {
        reparentMany(world, [one], target);
        twin.parent = { target, byValue: twin.parent?.byValue ?? false };
        unplaced();
      },
      () => {
        addMany(world, [one], Chosen, Charge({ volts: 3 }));
        twin.tags.add(Chosen);
        twin.volts = 3;
      },
      () => {
        clear(world, one);
        add(world, one, Local3D, World3D);
        Object.assign(twin, createTwin());
        unplaced();
      },
      () => this.move(one, twin, target),
    ];
    dice.pick(changes)();
  }

  /** Uses transforms: where it is in the world by then must be where it is after the iteration. */
  private move(one: Entity, twin: Twin, target: Entity): void {
    const { world, dice } = this;
    const before = [...worldOf(world, one)];
    const way = dice.below(4);
    if (way === 0) {
      reparentInPlace(world, one, target);
      twin.parent = { target, byValue: twin.parent?.byValue ?? false };
      close(worldOf(world, one), before);
    } else if (way === 1) lookAt(world, one, [dice.below(9), 20, dice.below(9)]);
    else if (way === 2) {
      translateWorld(world, one, [1, 2, 3]);
      close([...worldOf(world, one)].slice(12, 15), [before[12]! + 1, before[13]! + 2, before[14]! + 3]);
    } else {
      const wanted = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, dice.below(9), dice.below(9), 4, 1];
      setWorld(world, one, wanted);
      close(worldOf(world, one), wanted);
    }
    this.placed.set(one, [...worldOf(world, one)]);
  }
}

function close(is: Iterable<number>, shouldBe: Iterable<number>): void {
  const numbers = [...shouldBe];
  for (const [at, number] of [...is].entries())
    if (Math.abs(number - numbers[at]!) > 1e-4) throw new Error(`${[...is]} should be ${numbers}`);
}

/** @throws Error at the first difference: its first line replays the walk. */
export function pendingWalk(seed: number, rounds: number): void {
  const walk = new PendingWalk(seed);
  for (let round = 0; round < rounds; round++) {
    try {
      walk.round();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new Error(`pendingWalk(${seed}, ${round + 1})\n  ${text}`, { cause: error });
    }
  }
}
