import { describe, expect, it } from "vitest";
import { add, createWorld, type Entity, pack, remove, set, spawn, spawnMany } from "../../../src/index.ts";
import { array, f32, f64, relation, u8 } from "../../defining.ts";
import { Any, ChildOf, Frozen, Position } from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import { get, verify } from "../../reading.ts";
import { memories } from "../../storage/memory/memories.ts";

const Damage = relation("Damage", { fields: { amount: f32, exact: f64, bytes: array(u8, 3) } });
const Heals = relation("Heals", { fields: { amount: f32 } });
const Rents = relation("Rents", { exclusive: true, fields: { price: f64 } });

/** What the twin of an entity holds: target -> the number that its value was made of. */
interface Held {
  readonly damage: Map<Entity, number>;
  readonly heals: Map<Entity, number>;
  readonly rents: Map<Entity, number>;
}

describe.each(memories)("values of pairs on %s memory", (_, createMemory) => {
  it("stay with their pair when one of two targets is replaced", () => {
    const world = createWorld({ memory: createMemory() });
    const [a, b, c] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const one = spawn(world, Damage(a, { amount: 1 }), Damage(b, { amount: 2 }));

    remove(world, one, Damage(a));
    add(world, one, Damage(c, { amount: 3 }));

    expect([a, b, c].map((target) => get(world, one, Damage(target))?.amount)).toEqual([undefined, 2, 3]);
  });

  it("stay with their pair when another is replaced beside it in the same archetype", () => {
    const world = createWorld({ memory: createMemory() });
    const [a, b, c] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const one = spawn(world, Damage(b, { amount: 2, bytes: [1, 2, 3] }), Rents(c, { price: 9 }));

    add(world, one, Rents(a, { price: 10 }));

    expect(get(world, one, Damage(b))).toMatchObject({ amount: 2, bytes: Uint8Array.of(1, 2, 3) });
    expect([get(world, one, Rents(a)), get(world, one, Rents(c))]).toEqual([{ price: 10 }, undefined]);
  });

  it("start with their defaults for a new pair, wherever its column was before", () => {
    const world = createWorld({ memory: createMemory() });
    const [a, b] = spawnMany(world, 2) as [Entity, Entity];
    const one = spawn(world, Damage(b, { amount: 2, exact: 2, bytes: [2, 2, 2] }));
    spawn(world, Damage(a, { amount: 7 }));

    add(world, one, Damage(a));

    expect(get(world, one, Damage(a))).toEqual({ amount: 0, exact: 0, bytes: new Uint8Array(3) });
    expect(get(world, one, Damage(b))).toEqual({ amount: 2, exact: 2, bytes: Uint8Array.of(2, 2, 2) });
  });

  it("stay with their pair across reparents and packs", () => {
    const world = createWorld({ memory: createMemory() });
    const [a, b, ship] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const one = spawn(world, Damage(a, { amount: 1 }), Damage(b, { amount: 2 }));

    add(world, one, ChildOf(ship));
    pack(world);
    remove(world, one, ChildOf(Any));
    add(world, one, Position({ x: 5 }), Frozen);

    expect([get(world, one, Damage(a))!.amount, get(world, one, Damage(b))!.amount]).toEqual([1, 2]);
  });

  it.each(seeds(1, 4))(
    "are as in a map of maps, whatever is added, replaced and removed, seed %i",
    (seed) => {
      const world = createWorld({ memory: createMemory() });
      const dice = createDice(seed);
      const all = spawnMany(world, 30);
      const twin = new Map<Entity, Held>();
      for (const one of all) twin.set(one, { damage: new Map(), heals: new Map(), rents: new Map() });

      for (let step = 1; step <= 2000; step++) {
        const [one, target] = [dice.pick(all), dice.pick(all)];
        const held = twin.get(one)!;
        const choice = dice.below(10);
        if (choice < 3) {
          add(
            world,
            one,
            Damage(target, { amount: step, exact: step / 3, bytes: [step % 256, 0, step % 256] }),
          );
          held.damage.set(target, step);
        } else if (choice === 3) {
          set(world, one, Heals(target), { amount: step });
          held.heals.set(target, step);
        } else if (choice === 4) {
          add(world, one, Rents(target, { price: step }));
          held.rents.clear();
          held.rents.set(target, step);
        } else if (choice < 7) {
          const old = dice.chance(0.9) && held.damage.size > 0 ? dice.pick([...held.damage.keys()]) : target;
          remove(world, one, Damage(old));
          held.damage.delete(old);
        } else if (choice === 7) {
          const isAll = dice.chance(0.2);
          if (isAll) remove(world, one, Heals(Any));
          else remove(world, one, Heals(target));
          if (isAll) held.heals.clear();
          held.heals.delete(target);
        } else if (choice === 8) add(world, one, dice.chance(0.5) ? Frozen : Position({ x: step }));
        else if (dice.chance(0.5)) remove(world, one, Frozen);
        else if (dice.chance(0.1)) pack(world);
        if (dice.chance(0.1)) remove(world, one, Position);
      }

      for (const one of all) {
        const held = twin.get(one)!;
        for (const target of all) {
          const damage = held.damage.get(target);
          expect(get(world, one, Damage(target))).toEqual(
            damage === undefined
              ? undefined
              : { amount: damage, exact: damage / 3, bytes: Uint8Array.of(damage, 0, damage) },
          );
          expect(get(world, one, Heals(target))?.amount).toBe(held.heals.get(target));
          expect(get(world, one, Rents(target))?.price).toBe(held.rents.get(target));
        }
      }
      expect(verify(world)).toEqual([]);
    },
  );
});
