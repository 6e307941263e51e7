import {
  add,
  defer,
  type Entity,
  get,
  isAlive,
  remove,
  set,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { destroy, dispose, each, monitorGroups, type QueryTerm, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, Position, SoldIn } from "../../definitions.ts";
import { ChildOf, DisabledTree, Parent } from "../../public/builtins.ts";
import { component, createWorld } from "../../public/define.ts";
import { f64 } from "../../public/fields.ts";
import { changed, maybe, not } from "../../public/filters.ts";
import { group, groupBy, groupsOf, orderBy, page } from "../../public/parts.ts";
import { up, variable } from "../../public/terms.ts";
import { hasObservers } from "../../world-state.ts";

const Level = component("Level", { of: f64 });

let world: World;
let markets: Entity[];
let reported: string[];

/** "+0" for the first market. */
function nameOf(key: unknown): string {
  const place = markets.indexOf(key as Entity);
  return place < 0 ? String(key) : String(place);
}

function watch(terms: readonly QueryTerm[], yieldExisting = false): () => void {
  return monitorGroups<unknown>(
    query(world, ...terms),
    { began: (key) => reported.push(`+${nameOf(key)}`), ended: (key) => reported.push(`-${nameOf(key)}`) },
    { yieldExisting },
  );
}

/** What was reported since the last call. */
function reports(): string {
  return reported.splice(0).join(" ");
}

beforeEach(() => {
  world = createWorld();
  markets = spawnMany(world, 3);
  reported = [];
});
afterEach(() => {
  expect(verify(world)).toEqual([]);
});

describe("a monitor of groups by relation", () => {
  it("reports a group with its first match and after its last one, and nothing between", () => {
    const terms = [Position, groupBy(SoldIn)];
    watch(terms);

    const one = spawn(world, Position, SoldIn(markets[0]!));
    expect(reports()).toBe("+0");
    const other = spawn(world, Position, SoldIn(markets[0]!));
    destroy(world, one);
    expect(reports()).toBe("");
    remove(world, other, Position);
    expect(reports()).toBe("-0");
    add(world, other, Position);
    expect(reports()).toBe("+0");
    expect(groupsOf(query(world, ...terms))).toEqual([markets[0]]);
  });

  it("reports both groups of an entity that gets another target, and the group without target", () => {
    watch([Position, groupBy(SoldIn)]);
    const one = spawn(world, Position, SoldIn(markets[0]!));
    reports();

    add(world, one, SoldIn(markets[1]!));
    expect(reports()).toBe("-0 +1");
    remove(world, one, SoldIn(markets[1]!));
    expect(reports()).toBe("-1 +undefined");
    add(world, one, SoldIn(markets[2]!));
    expect(reports()).toBe("-undefined +2");
  });

  it("reports a group whose target is destroyed, by a handle that is not alive", () => {
    const one = spawn(world, Position, SoldIn(markets[0]!));
    const alive: boolean[] = [];
    monitorGroups(query(world, Position, groupBy(SoldIn)), {
      ended: (market) => {
        expectTypeOf(market).toEqualTypeOf<Entity | undefined>();
        reported.push(nameOf(market));
        alive.push(isAlive(world, market!));
      },
    });

    destroy(world, markets[0]!);

    expect([reports(), alive, isAlive(world, one)]).toEqual(["0", [false], true]);
  });

  it.each([
    ["ChildOf", ChildOf, ChildOf],
    ["Parent", Parent, Parent],
    ["both", ChildOf, Parent],
  ])("reports groups by parent, in any storage: %s", (_, one, other) => {
    watch([Position, groupBy(ChildOf)]);

    const child = spawn(world, Position, one(markets[0]!));
    expect(reports()).toBe("+0");
    add(world, child, other(markets[1]!));
    expect(reports()).toBe("-0 +1");
    destroy(world, markets[1]!);
    expect(reports()).toBe("-1");
  });

  it("counts what stops matching in other ways: excluded, disabled, disabled from above", () => {
    const deck = spawn(world);
    const one = spawn(world, Position, SoldIn(markets[0]!), ChildOf(deck));
    watch([Position, not(Frozen), groupBy(SoldIn)]);

    add(world, one, Frozen);
    expect(reports()).toBe("-0");
    remove(world, one, Frozen);
    expect(reports()).toBe("+0");
    add(world, deck, DisabledTree);
    expect(reports()).toBe("-0");
    remove(world, deck, DisabledTree);
    expect(reports()).toBe("+0");
  });

  it("reports the net change at the end of the outermost change, in the order of the first touch", () => {
    watch([Position, groupBy(SoldIn)]);
    const stays = spawn(world, Position, SoldIn(markets[0]!));
    reports();

    defer(world, () => {
      spawn(world, Position, SoldIn(markets[2]!));
      add(world, stays, SoldIn(markets[1]!));
      spawn(world, Position, SoldIn(markets[0]!));
      destroy(world, spawn(world, Position));
      expect(reports()).toBe("");
    });

    expect(reports()).toBe("+2 +1");
  });

  it("reports nothing if a group only passes from one entity to another", () => {
    const one = spawn(world, Position, SoldIn(markets[0]!));
    watch([Position, groupBy(SoldIn)]);

    defer(world, () => {
      destroy(world, one);
      spawn(world, Position, SoldIn(markets[0]!));
    });

    expect(reports()).toBe("");
  });

  it("reports changes that an observer makes in turn, and goes on after an error", () => {
    const stop = new Error("stop");
    monitorGroups(query(world, Position, groupBy(SoldIn)), {
      began: (market) => {
        reported.push(nameOf(market));
        if (market === markets[0]) spawn(world, Position, SoldIn(markets[2]!));
        if (market === markets[1]) throw stop;
      },
    });

    const change = (): void =>
      defer(world, () => {
        spawn(world, Position, SoldIn(markets[1]!));
        spawn(world, Position, SoldIn(markets[0]!));
      });

    expect(change).toThrow(stop);
    expect(reports()).toBe("1 0 2");
  });
});

describe("a monitor of groups by a function", () => {
  it("asks again after changes of what the terms name, maybe included", () => {
    const light = (entity: Entity): string => ((get(world, entity, Level)?.of ?? 0) > 1 ? "high" : "low");
    watch([Position, maybe(Level), groupBy(light)]);

    const one = spawn(world, Position);
    expect(reports()).toBe("+low");
    add(world, one, Level({ of: 5 }));
    expect(reports()).toBe("-low +high");
    remove(world, one, Level);
    expect(reports()).toBe("-high +low");
    set(world, one, Position, { x: 1 });
    expect(reports()).toBe("");
    destroy(world, one);
    expect(reports()).toBe("-low");
  });

  it("leaves an entity in its group if the function throws, and throws that", () => {
    let isBroken = false;
    const broken = new Error("broken");
    const byIndex = (entity: Entity): number => {
      if (isBroken) throw broken;
      return entity % 2;
    };
    const one = spawn(world, Position, Level);
    watch([Position, maybe(Level), groupBy(byIndex)], true);
    expect(reports()).toBe(`+${one % 2}`);

    isBroken = true;
    expect(() => remove(world, one, Level)).toThrow(broken);
    isBroken = false;

    expect(reports()).toBe("");
    destroy(world, one);
    expect(reports()).toBe(`-${one % 2}`);
  });
});

describe("a monitor of groups", () => {
  it("with yieldExisting reports the groups that there are, and ends them at its end", () => {
    spawn(world, Position, SoldIn(markets[1]!));
    spawn(world, Position);

    const stop = watch([Position, groupBy(SoldIn)], true);
    expect(reports().split(" ").toSorted()).toEqual(["+1", "+undefined"]);
    stop();
    expect(reports().split(" ").toSorted()).toEqual(["-1", "-undefined"]);
    stop();
    expect(reports()).toBe("");
  });

  it("reports nothing of groups that exist before, until they end", () => {
    const one = spawn(world, Position, SoldIn(markets[1]!));
    watch([Position, groupBy(SoldIn)]);
    expect(reports()).toBe("");

    destroy(world, one);

    expect(reports()).toBe("-1");
  });

  it("ends with the function that it returns, and leaves no observer", () => {
    const stop = watch([Position, groupBy(SoldIn)]);

    stop();
    spawn(world, Position, SoldIn(markets[0]!));

    expect([reports(), hasObservers(world)]).toEqual(["", false]);
  });

  it("goes on after its query was disposed, as a monitor does", () => {
    const tested = query(world, Position, groupBy(SoldIn));
    monitorGroups(tested, { began: (key) => reported.push(nameOf(key)) });
    dispose(tested);

    spawn(world, Position, SoldIn(markets[0]!));

    expect(reports()).toBe("0");
  });

  it("that begins inside an iteration counts what is deferred there", () => {
    spawn(world, Position, SoldIn(markets[0]!));

    each(query(world, Position), (_, entity) => {
      watch([Position, groupBy(SoldIn)]);
      add(world, entity, SoldIn(markets[2]!));
    });

    expect(reports()).toBe("-0 +2");
  });

  it("needs no order of its query", () => {
    watch([Position, orderBy(Position, "x"), groupBy(SoldIn)]);

    spawn(world, Position, SoldIn(markets[0]!));

    expect(reports()).toBe("+0");
  });

  it("is refused without groups and observers, for parts, and for terms about others", () => {
    const began = (): void => undefined;
    const grouped = query(world, Position, groupBy(SoldIn));
    const refused = (...terms: QueryTerm[]): unknown =>
      codeOf(() => monitorGroups(query(world, ...terms, groupBy(SoldIn)), { began }));

    expect(codeOf(() => monitorGroups(query(world, Position), { began }))).toBe("bad-query");
    expect(codeOf(() => monitorGroups(grouped, {}))).toBe("bad-query");
    expect(codeOf(() => monitorGroups(grouped, { began: 1 as never }))).toBe("bad-query");
    expect(codeOf(() => monitorGroups(undefined as never, { began }))).toBe("bad-query");
    expect(codeOf(() => monitorGroups(page(grouped, 0, 1), { began }))).toBe("bad-query");
    expect(codeOf(() => monitorGroups(group(grouped, markets[0]), { began }))).toBe("bad-query");
    expect([refused(up(Position)), refused(changed(Position)), refused(ChildOf(variable("parent")))]).toEqual(
      ["bad-query", "bad-query", "bad-query"],
    );
    dispose(grouped);
    expect(codeOf(() => monitorGroups(grouped, { began }))).toBe("disposed");
    expect(hasObservers(world)).toBe(false);
  });
});
