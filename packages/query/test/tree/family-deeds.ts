import { add, defer, type Entity, isAlive, OrderedChildren, pack, remove, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { attach, detach, removeAll, remove as removeOne } from "../../src/hierarchy.ts";
import {
  ancestors,
  children,
  destroy,
  detachChildren,
  insertAt,
  moveAfter,
  moveBefore,
  replaceChildren,
  setChildOrder,
  sortChildren,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import {
  birth,
  bury,
  Extra,
  enter,
  type Families,
  isBelow,
  leave,
  listens,
  root,
  shuffled,
  someone,
  someParent,
  Weight,
} from "./families.ts";

/** What a call must say, and what it must do if it says nothing. */
interface Deed {
  readonly name: string;
  readonly act: () => void;
  readonly code: string | undefined;
  readonly mirror: () => void;
}

type Choose = (families: Families) => Deed;

function attachDeed(families: Families): Deed {
  const { world, dice } = families;
  const [child, parent] = [someone(families), someone(families)];
  const storage = dice.pick([undefined, ...families.storages]);
  return {
    name: "attach",
    act: () => attach(world, child, parent, storage),
    code: isBelow(families, parent, child) ? "cycle" : undefined,
    mirror: () => {
      if (families.parents.get(child) === parent) return;
      leave(families, child);
      enter(families, child, parent);
    },
  };
}

function insertDeed(families: Families): Deed {
  const { world, dice, lists } = families;
  const parent = someParent(families);
  const own = lists.get(parent)!;
  const child = own.length > 0 && dice.chance(0.7) ? dice.pick(own) : someone(families);
  const others = own.filter((one) => one !== child);
  const place = dice.chance(0.05)
    ? dice.pick([-1, 0.5, others.length + 1, NaN])
    : dice.below(others.length + 1);
  const isPlace = Number.isInteger(place) && place >= 0 && place <= others.length;
  return {
    name: `insert at ${place} of ${others.length}`,
    act: () => insertAt(world, parent, child, place),
    code: !isPlace ? "bad-order" : isBelow(families, parent, child) ? "cycle" : undefined,
    mirror: () => {
      leave(families, child);
      enter(families, child, parent, place);
    },
  };
}

function besideDeed(families: Families): Deed {
  const { world, dice, lists, parents } = families;
  const family = lists.get(someParent(families))!;
  const sibling = family.length > 0 && dice.chance(0.9) ? dice.pick(family) : someone(families);
  const parent = parents.get(sibling);
  const own = lists.get(parent)!;
  const child = dice.chance(0.7) ? dice.pick(own) : someone(families);
  const isBefore = dice.chance(0.5);
  const isWrong = parent === undefined || child === sibling;
  return {
    name: isBefore ? "move before" : "move after",
    act: () => (isBefore ? moveBefore : moveAfter)(world, child, sibling),
    code: isWrong ? "bad-order" : isBelow(families, parent, child) ? "cycle" : undefined,
    mirror: () => {
      leave(families, child);
      enter(families, child, parent, own.indexOf(sibling) + (isBefore ? 0 : 1));
    },
  };
}

function orderDeed(families: Families): Deed {
  const { world, dice, lists } = families;
  const parent = someParent(families);
  const own = lists.get(parent)!;
  const list = shuffled(families, own);
  const spoil = dice.below(12);
  if (spoil === 0) list.pop();
  if (spoil === 1) list.push(someone(families));
  if (spoil === 2 && list.length > 1) list[0] = list[1]!;
  const isRight = list.length === own.length && own.every((child) => list.includes(child));
  return {
    name: "set child order",
    act: () => setChildOrder(world, parent, list),
    code: isRight ? undefined : "bad-order",
    mirror: () => own.splice(0, own.length, ...list),
  };
}

function sortDeed(families: Families): Deed {
  const { world, dice, lists, weights } = families;
  const parent = someParent(families);
  const own = lists.get(parent)!;
  const sign = dice.pick([1, -1]);
  if (dice.chance(0.5)) {
    const compare = (one: Entity, other: Entity): number => sign * ((one % 5) - (other % 5));
    const mirror = (): unknown => own.sort(compare);
    return { name: "sort", act: () => sortChildren(world, parent, compare), code: undefined, mirror };
  }
  return {
    name: "sort by weight",
    act: () => sortChildren(world, parent, Weight, (one, other) => sign * (one.kilos - other.kilos)),
    code: undefined,
    mirror: () => {
      const heavy = own.filter((child) => weights.has(child));
      heavy.sort((one, other) => sign * (weights.get(one)! - weights.get(other)!));
      own.splice(0, own.length, ...heavy, ...own.filter((child) => !weights.has(child)));
    },
  };
}

function replaceDeed(families: Families): Deed {
  const { world, dice, lists } = families;
  const parent = someParent(families);
  const own = lists.get(parent)!;
  const kept = own.filter(() => dice.chance(0.7));
  const come = [...Array(dice.below(4))].map(() => someone(families));
  const list = shuffled(families, [...new Set([...kept, ...come])]);
  const isTwice = list.length > 0 && dice.chance(0.05);
  if (isTwice) list.push(list[0]!);
  const isCycle = list.some((child) => isBelow(families, parent, child));
  return {
    name: "replace children",
    act: () => replaceChildren(world, parent, list),
    code: isTwice ? "bad-order" : isCycle ? "cycle" : undefined,
    mirror: () => {
      for (const child of own.filter((one) => !list.includes(one))) root(families, child);
      for (const child of list) {
        leave(families, child);
        enter(families, child, parent);
      }
    },
  };
}

function rootDeed(families: Families): Deed {
  const { world, dice, lists } = families;
  const entity = someParent(families);
  const choice = dice.below(4);
  const below = (top: Entity): Entity[] => lists.get(top)!.flatMap((child) => [child, ...below(child)]);
  const [name, verb, who] = [
    ["detach", detach, [entity]],
    ["detach children", detachChildren, [...lists.get(entity)!]],
    ["remove", removeOne, [entity, ...lists.get(entity)!]],
    ["remove all", removeAll, [entity, ...below(entity)]],
  ][choice] as [string, (world: World, entity: Entity) => void, Entity[]];
  return {
    name,
    act: () => verb(world, entity),
    code: undefined,
    mirror: () => {
      for (const one of who) root(families, one);
    },
  };
}

function plainDeed(families: Families): Deed {
  const { world, dice } = families;
  const entity = someone(families);
  const deeds: readonly (readonly [string, () => void])[] = [
    ["add OrderedChildren", () => add(world, entity, OrderedChildren)],
    ["remove OrderedChildren", () => remove(world, entity, OrderedChildren)],
    ["add Extra", () => add(world, entity, Extra({ of: entity }))],
    ["remove Extra", () => remove(world, entity, Extra)],
    ["pack", () => pack(world)],
  ];
  const [name, act] = dice.pick(deeds);
  return { name, act, code: undefined, mirror: () => {} };
}

function storageDeed(families: Families): Deed {
  const { world, dice, parents } = families;
  const entity = someone(families);
  const parent = parents.get(entity);
  const storage = dice.pick(families.storages);
  const act = (): void => {
    if (parent !== undefined) add(world, entity, storage(parent));
  };
  return { name: "change storage", act, code: undefined, mirror: () => {} };
}

function deathDeed(families: Families): Deed {
  const { world } = families;
  const entity = someone(families);
  const dying = [...linesBelow(families, entity), entity].filter(
    (one) => families.parents.get(one) !== undefined,
  );
  return {
    name: "destroy",
    act: () => destroy(world, entity),
    code: undefined,
    mirror: () => {
      bury(families, entity);
      const told = families.heard.map((event) => event.entity);
      if (listens(world) && String(told) !== String(dying)) throw new Error(`died as ${told}, not ${dying}`);
    },
  };
}

/** Everybody below, children before parents, siblings in order. */
function linesBelow(families: Families, entity: Entity): Entity[] {
  return families.lists.get(entity)!.flatMap((child) => [...linesBelow(families, child), child]);
}

const DEEDS: readonly Choose[] = [
  attachDeed,
  attachDeed,
  insertDeed,
  insertDeed,
  besideDeed,
  besideDeed,
  orderDeed,
  sortDeed,
  replaceDeed,
  rootDeed,
  plainDeed,
  storageDeed,
];

/** One random call, in the world and in the lists. @returns what is wrong then. */
export function takeStep(families: Families, most: number): string[] {
  const { world, dice, parents } = families;
  families.heard.length = 0;
  if (parents.size < 4 || (parents.size < most && dice.chance(0.25))) {
    birth(families);
    return compare(families, "birth", undefined);
  }
  const { name, act, code, mirror } = dice.chance(0.03) ? deathDeed(families) : dice.pick(DEEDS)(families);
  const before = new Map([...families.lists].map(([parent, list]) => [parent, [...list]]));
  const isDeferred = dice.chance(0.2);
  const told = codeOf(isDeferred ? () => defer(world, act) : act);
  if (told !== code) return [`${name} says ${told}, not ${code}`];
  if (code === undefined) mirror();
  return compare(families, name, before);
}

function compare(families: Families, name: string, before: Families["lists"] | undefined): string[] {
  const { world, lists, parents } = families;
  const wrong = verify(world);
  for (const [parent, list] of lists) {
    if (parent === undefined) continue;
    const seen = children(world, parent);
    if (String(seen) !== String(list)) wrong.push(`below ${parent}: ${seen} instead of ${list}`);
    if (before !== undefined) wrong.push(...compareTold(families, parent, before.get(parent) ?? [], list));
  }
  for (const [entity, parent] of parents) {
    if (!isAlive(world, entity)) wrong.push(`${entity} is dead`);
    else if (ancestors(world, entity)[0] !== parent)
      wrong.push(`${entity} has another parent than ${parent}`);
  }
  return wrong.map((text) => `${name}: ${text}`);
}

/** Reordered is told once if those who stayed stand in another order, else never. */
function compareTold(
  { world, heard }: Families,
  parent: Entity,
  before: readonly Entity[],
  after: readonly Entity[],
): string[] {
  if (heard.length === 0 && before.length === 0) return [];
  const stayed = before.filter((child) => after.includes(child));
  const now = after.filter((child) => before.includes(child));
  const right = String(stayed) === String(now) ? 0 : 1;
  const told = heard.filter(({ kind, entity }) => kind === "reordered" && entity === parent).length;
  return told === right || !listens(world)
    ? []
    : [`told ${told} times that those below ${parent} are reordered`];
}
