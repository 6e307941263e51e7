/**
 * Random walks over merges of prefabs: prefabs are edited at random, so that parts give up what others take. Then instances follow in the same world, and a running
 * game follows files. What an instance shall be is what a new one is: there is no other model. An instance that was changed at random keeps what it was
 * changed to, loses nothing, and is as a new one again when it is reverted.
 *
 * @example
 * mergeWalk({ seed: 7, steps: 20 }); // throws at the first difference
 */

import * as core from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { builtins } from "@treeline/document";
import { toDocument, writeJson } from "@treeline/document/json";
import { Alias, Name } from "@treeline/names";
import * as prefabs from "@treeline/prefab";
import * as files from "@treeline/prefab/document";
import * as queries from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { createDice, type Dice } from "../base/dice.ts";

type Entity = core.Entity;
type World = core.World;

const Value = core.component("Value", { x: core.f32, y: 0 });
const Aim = core.component("Aim", { at: core.entity });
const Paint = core.component("Paint", { tint: 0 }, { onInstantiate: "inherit" });
const Armed = core.tag("Armed");
const RELATIONS: readonly core.Relation[] = [
  core.relation("Near"),
  core.relation("Guards", { exclusive: true, maxSubjects: 1 }),
  core.relation("Sits", { maxSubjects: 2 }),
  core.relation("Above", { acyclic: true }),
  core.relation("Coupled", { symmetric: true, exclusive: true }),
  core.relation("Needs", { onTargetDestroy: "delete" }),
  core.relation("Holds", { onTargetDestroy: "refuse" }),
];
const definitions = [...builtins, Value, Aim, Paint, Armed, ...RELATIONS];
const NAMES = ["a", "b", "c", "d", "e"];
const ALIASES = ["one", "two"];

export interface MergeWalkOptions {
  readonly seed: number;
  readonly steps: number;
}

/** @throws Error at the first difference: its first line replays the walk. */
export function mergeWalk({ seed, steps }: MergeWalkOptions): void {
  let at = 0;
  const log: string[] = [];
  try {
    const walk = new MergeWalk(createDice(seed), log);
    for (; at < steps; at++) walk.step();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const last = log.slice(log.lastIndexOf("step") + 1).join("; ");
    throw new Error(`mergeWalk({ seed: ${seed}, steps: ${at + 1} }): ${last}\n  ${why}`, { cause: error });
  }
}

class MergeWalk {
  private readonly dice: Dice;
  private readonly log: string[];
  private readonly shop: World = core.createWorld();
  private readonly game: World = core.createWorld();
  private readonly keys = ["base", "variant", "outer"];
  private readonly roots: Entity[] = [];
  /** By key: an instance in each world that follows, and one in the shop that is changed. */
  private readonly followers: (readonly [inShop: Entity, inGame: Entity])[];
  private readonly changed: Entity[];

  constructor(dice: Dice, log: string[]) {
    this.dice = dice;
    this.log = log;
    const { shop, roots } = this;
    const base = prefabs.prefab(shop, files.PrefabKey("base"), Name("Base"), Value({ x: 0.1 }), Paint);
    roots.push(base);
    for (let count = 0; count < 5; count++) this.spawnPart(shop, base);
    roots.push(prefabs.prefab(shop, files.PrefabKey("variant"), Name("Variant"), prefabs.IsA(base)));
    const outer = prefabs.prefab(shop, files.PrefabKey("outer"), Name("Outer"));
    prefabs.instantiate(shop, base, { parent: outer, with: [Name("a")] });
    roots.push(outer);
    files.loadPrefabs(this.game, this.texts(), { definitions });
    this.followers = this.keys.map((key, at) => [
      prefabs.instantiate(shop, roots[at]!),
      prefabs.instantiate(this.game, files.prefabAt(this.game, key)!),
    ]);
    this.changed = roots.map((root) => prefabs.instantiate(shop, root));
  }

  step(): void {
    const { dice, shop, game, roots } = this;
    this.log.push("step");
    if (dice.chance(0.5))
      for (let count = 1 + dice.below(3); count > 0; count--)
        this.edit(shop, this.changed[dice.below(3)]!, false);
    const before = this.changed.map((one) => overridden(shop, one));
    const edited = dice.chance(0.6) ? 0 : dice.below(3);
    for (let count = 1 + dice.below(5); count > 0; count--) this.edit(shop, roots[edited]!, true);
    for (const root of roots) prefabs.refreshInstances(shop, root);
    const once = dump(shop);
    for (const root of roots) prefabs.refreshInstances(shop, root);
    expectSame(dump(shop), once, "a second refreshInstances");
    files.loadPrefabs(game, this.texts(), { definitions });
    for (const [at, key] of this.keys.entries()) {
      const [inShop, inGame] = this.followers[at]!;
      const root = files.prefabAt(game, key)!;
      const fresh = this.fresh(shop, roots[at]!);
      expectSame(outline(shop, inShop), fresh, `an instance of ${key}`);
      expectSame(listed(shop, inShop), [], `overridesOf an instance of ${key}`);
      expectSame(outline(game, root), outline(shop, roots[at]!), `the prefab ${key} by file`);
      expectSame(outline(game, inGame), this.fresh(game, root), `an instance of ${key} by file`);
      expectSame(outline(game, inGame), fresh, `an instance of ${key} here and by file`);
      this.expectKept(before[at]!, this.changed[at]!);
      if (dice.chance(0.3)) this.revert(at);
    }
    const again = dump(game);
    files.loadPrefabs(game, this.texts(), { definitions });
    expectSame(dump(game), again, "the same files again");
    for (const world of [shop, game]) expectSame(verify(world), [], "verify");
  }

  private texts(): Map<string, string> {
    return new Map(
      this.keys.map((key, at) => [
        key,
        writeJson(toDocument(this.shop, { root: this.roots[at]!, prefabs: files.prefabs })),
      ]),
    );
  }

  /** What a new instance is. */
  private fresh(world: World, root: Entity): unknown {
    const one = prefabs.instantiate(world, root);
    const found = outline(world, one);
    queries.destroy(world, one);
    return found;
  }

  /** What was attached is alive, and values that were changed are as they were. */
  private expectKept(before: ReturnType<typeof overridden>, instance: Entity): void {
    const { shop } = this;
    for (const { entity, kind, value } of before) {
      expectSame(core.isAlive(shop, entity), true, `${kind} ${entity} is alive`);
      if (kind === "value") expectSame(core.get(shop, entity, Value), value, `the value of ${entity}`);
    }
    // A part without a name, where the prefab's has one, is told.
    const told = prefabs.overridesOf(shop, instance);
    for (const entity of queries.descendants(shop, instance)) {
      const part = prefabs.prefabOf(shop, entity);
      if (part === undefined || core.parentOf(shop, part) === undefined) continue; // roots have names of their own
      if (core.has(shop, entity, Name) || !core.has(shop, part, Name)) continue;
      const isTold = told.some((one) => one.entity === entity && one.definition === Name);
      // Those of an instance inside are told of that.
      if (!isTold && this.instanceAbove(shop, entity) === instance)
        throw new Error(`${entity} is without its name, and overridesOf does not say so`);
    }
  }

  private instanceAbove(world: World, entity: Entity): Entity | undefined {
    return queries.ancestors(world, entity).find((one) => core.has(world, one, prefabs.IsA(core.Any)));
  }

  /** Without what was attached, an instance that is reverted is as a new one, but for the order of siblings. */
  private revert(at: number): void {
    const { shop } = this;
    const instance = this.changed[at]!;
    for (const { kind, entity } of prefabs.overridesOf(shop, instance))
      if (kind === "attached") ignoreRefusals(() => queries.destroy(shop, entity));
    if (prefabs.overridesOf(shop, instance).some(({ kind }) => kind === "attached")) return;
    prefabs.revert(shop, instance);
    expectSame(listed(shop, instance), [], "overridesOf what is reverted");
    const one = prefabs.instantiate(shop, this.roots[at]!);
    expectSame(outline(shop, instance, true), outline(shop, one, true), "what is reverted");
    queries.destroy(shop, one);
  }

  private spawnPart(world: World, parent: Entity): void {
    const { dice } = this;
    const storage = dice.chance(0.5) ? core.ChildOf : core.Parent;
    const name = dice.pick(NAMES);
    ignoreRefusals(() =>
      core.spawn(
        world,
        storage(parent),
        ...(dice.chance(0.9) ? [Name(name)] : []),
        ...(dice.chance(0.5) ? [Value({ x: dice.below(4) / 10 })] : []),
        ...(dice.chance(0.3) ? [Paint({ tint: dice.below(3) })] : []),
      ),
    );
  }

  private edit(world: World, root: Entity, isPrefab: boolean): void {
    const { dice } = this;
    const parts = queries.descendants(world, root);
    const any = (): Entity => dice.pick(parts);
    const kind = dice.pick(Object.keys(EDITS));
    if (parts.length === 0 || (parts.length > 14 && dice.chance(0.6))) {
      if (parts.length > 0) ignoreRefusals(() => queries.destroy(world, any()));
      else this.spawnPart(world, root);
      return;
    }
    // Out of an instance in a prefab, a part would point to the parts of that prefab.
    const isInner = isPrefab && parts.some((part) => core.has(world, part, prefabs.IsA(core.Any)));
    if (isInner && (kind === "attach" || kind === "upside down")) return;
    this.log.push(`${isPrefab ? "" : "instance "}${kind}`);
    if (kind === "spawn") this.spawnPart(world, dice.chance(0.4) ? root : any());
    else if (kind === "alias" && !isPrefab) return;
    else ignoreRefusals(() => EDITS[kind]!(world, dice, any, root));
  }
}

type Edit = (world: World, dice: Dice, any: () => Entity, root: Entity) => void;

const EDITS: { readonly [kind: string]: Edit } = {
  spawn: () => {},
  rename: (world, dice, any) => core.set(world, any(), Name, dice.pick(NAMES)),
  unname: (world, _, any) => core.remove(world, any(), Name),
  exchange: (world, _, any) => {
    const one = any();
    const others = queries.children(world, core.parentOf(world, one)!);
    const names = others.map((other) => core.get(world, other, Name));
    for (const other of others) core.remove(world, other, Name);
    for (const [at, other] of others.entries()) {
      const name = names[(at + 1) % names.length];
      if (name !== undefined) core.set(world, other, Name, name);
    }
  },
  attach: (world, dice, any, root) => {
    attach(world, any(), dice.chance(0.3) ? root : any(), dice.pick([core.ChildOf, core.Parent]));
  },
  "upside down": (world, _, any) => {
    const one = any();
    const parent = core.parentOf(world, one)!;
    const above = core.parentOf(world, parent);
    if (above === undefined || prefabs.prefabOf(world, parent) === undefined) return;
    attach(world, one, above);
    attach(world, parent, one);
  },
  destroy: (world, _, any) => queries.destroy(world, any()),
  value: (world, dice, any) =>
    core.set(world, any(), Value, dice.chance(0.5) ? { x: dice.below(5) / 10 } : { y: dice.below(5) }),
  paint: (world, dice, any) => core.set(world, any(), Paint, { tint: dice.below(5) }),
  lose: (world, dice, any) => core.remove(world, any(), dice.pick([Value, Armed, Aim])),
  arm: (world, _, any) => core.add(world, any(), Armed),
  aim: (world, dice, any, root) => core.add(world, any(), Aim({ at: dice.chance(0.2) ? root : any() })),
  pair: (world, dice, any, root) =>
    core.add(world, any(), dice.pick(RELATIONS)(dice.chance(0.1) ? root : any())),
  unpair: (world, dice, any) => {
    const one = any();
    const own = core
      .pairsOf(world, one)
      .filter(({ relation }) => RELATIONS.includes(relation as core.Relation));
    if (own.length === 0) return;
    const { relation, target } = dice.pick(own);
    core.remove(world, one, relation(target));
  },
  order: (world, dice, any) => {
    const parent = core.parentOf(world, any())!;
    const others = [...queries.children(world, parent)];
    queries.setChildOrder(world, parent, others.toSpliced(dice.below(others.length), 0, others.pop()!));
  },
  alias: (world, dice, any) => {
    const [one, other] = [any(), any()];
    const alias = core.get(world, one, Alias);
    core.remove(world, one, Alias);
    core.add(world, other, Alias(alias ?? dice.pick(ALIASES)));
  },
};

function ignoreRefusals(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof core.TreelineError) || error.code === "internal-error") throw error;
  }
}

function expectSame(found: unknown, expected: unknown, about: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${about}: ${one}\n  instead of ${other}`);
}

function listed(world: World, instance: Entity): string[] {
  return prefabs
    .overridesOf(world, instance)
    .map(({ kind, entity, definition, fields }) => `${kind} ${entity} ${definition?.name} ${fields.join()}`);
}

/** What of an instance must stay. */
function overridden(
  world: World,
  instance: Entity,
): { readonly kind: string; readonly entity: Entity; readonly value: unknown }[] {
  return prefabs
    .overridesOf(world, instance)
    .filter(
      ({ kind, definition, fields }) =>
        kind === "attached" || (kind === "value" && definition === Value && fields.length === 2),
    )
    .map(({ kind, entity }) => ({ kind, entity, value: core.get(world, entity, Value) }));
}

/**
 * What can be read of a tree; entities inside of it by their places.
 * @param isSorted siblings are in the order of what they were made from, whatever their own is.
 */
function outline(world: World, root: Entity, isSorted = false): unknown {
  const orderOf = (entity: Entity): number => prefabs.prefabOf(world, entity) ?? 0;
  const childrenOf = (entity: Entity): Entity[] => {
    const found = queries.children(world, entity);
    return isSorted ? found.sort((one, other) => orderOf(one) - orderOf(other)) : found;
  };
  const places = new Map<Entity, number>();
  const list = (entity: Entity): void => {
    places.set(entity, places.size);
    for (const child of childrenOf(entity)) list(child);
  };
  list(root);
  const placeOf = (entity: Entity | undefined): number | string | undefined =>
    entity === undefined ? undefined : (places.get(entity) ?? "outside");
  const read = (entity: Entity): unknown => [
    placeOf(entity),
    entity === root ? "" : (core.get(world, entity, Name) ?? "-"),
    core.get(world, entity, Value) ?? 0,
    core.get(world, entity, Paint)?.tint ?? -1,
    core.has(world, entity, Armed),
    placeOf(core.get(world, entity, Aim)?.at) ?? (core.has(world, entity, Aim) ? "none" : ""),
    core
      .pairsOf(world, entity)
      .filter(({ relation }) => RELATIONS.includes(relation as core.Relation))
      .map(({ relation, target }) => `${relation.name} ${placeOf(target)}`)
      .sort(),
    childrenOf(entity).map(read),
  ];
  return read(root);
}
