import {
  add,
  addMany,
  bits,
  ChildOf,
  type Component,
  type ComponentStorage,
  clone,
  component,
  createWorld,
  type Entity,
  get,
  has,
  isAlive,
  parentOf,
  remove,
  type SpawnTerm,
  sparse,
  spawn,
  spawnMany,
  spawnRows,
  type Tag,
  tag,
  type World,
} from "@treeline/core";
import { onWarning, verify } from "@treeline/core/debug";
import { fromBinary, toBinary } from "@treeline/document/binary";
import { fromDocument, toDocument } from "@treeline/document/json";
import { IsA, instantiate, overridesOf, Prefab, prefab, prefabOf, refreshInstances } from "@treeline/prefab";
import { descendants, each, query } from "@treeline/query";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDice, type Dice } from "../../src/base/dice.ts";

/*
 * Two worlds take the same steps. In the first one components require others. In the second one they do not: after each step an entity that has
 * got a component is given what that requires, one by one. Both must have the same.
 */

type OnInstantiate = "copy" | "inherit" | "skip";

const WALKS = 24 * Number(process.env.TREELINE_WALKS ?? 1);
const STEPS = 40;

beforeAll(() => onWarning(() => {}));
afterAll(() => onWarning(undefined));

const NAMES = ["A", "B", "C", "D", "E", "F"] as const;

/** What each requires: chains, cycles and itself. */
const REQUIREMENTS: readonly { readonly [name: string]: readonly string[] }[] = [
  { B: ["A"], D: ["B", "C"], F: ["E", "A"] },
  { A: ["B"], B: ["C"], C: ["A"], E: ["C", "E"] },
  { A: ["F"], B: ["F", "D"], C: ["B"], E: ["D"] },
];

interface Drawn {
  readonly name: string;
  readonly isTag: boolean;
  readonly storage: ComponentStorage | undefined;
  readonly onInstantiate: OnInstantiate;
}

function draw(dice: Dice): Drawn[] {
  return NAMES.map((name): Drawn => {
    const isTag = dice.chance(0.4);
    const storage = dice.pick<ComponentStorage | undefined>([
      undefined,
      undefined,
      sparse,
      isTag ? bits : sparse,
    ]);
    const able: readonly OnInstantiate[] =
      storage === undefined ? ["copy", "inherit", "skip"] : ["copy", "skip"];
    return { name, isTag, storage, onInstantiate: dice.pick(able) };
  });
}

class Side {
  readonly world: World = createWorld();
  readonly definitions: ReadonlyMap<string, Tag>;
  /** In the order in which the steps made them, the same for both. */
  readonly entities: Entity[] = [];

  constructor(drawn: readonly Drawn[], requires: (typeof REQUIREMENTS)[number]) {
    const made = new Map<string, Tag>();
    for (const { name, isTag, storage, onInstantiate } of drawn) {
      const wanted = requires[name];
      const options = {
        ...(storage && { storage }),
        onInstantiate,
        ...(wanted && { requires: () => wanted.map((one) => made.get(one)!) }),
      };
      const own = isTag ? tag(name, options) : component(name, { x: 5 }, options);
      made.set(name, own as unknown as Tag);
    }
    this.definitions = made;
  }

  of(name: string): Tag {
    return this.definitions.get(name)!;
  }

  terms(list: readonly (readonly [string, number | undefined])[]): SpawnTerm[] {
    return list.map(([name, x]) => {
      const own = this.of(name);
      return x === undefined || own.kind === "tag"
        ? own
        : (own as unknown as (value: object) => SpawnTerm)({ x });
    });
  }

  /** Lists what came with a step, in the order of trees. */
  note(roots: readonly Entity[]): void {
    for (const root of roots)
      for (const one of [root, ...descendants(this.world, root)])
        if (!this.entities.includes(one)) this.entities.push(one);
  }

  names(entity: Entity): string[] {
    return isAlive(this.world, entity) ? NAMES.filter((name) => has(this.world, entity, this.of(name))) : [];
  }

  drawing(): string[] {
    return this.entities.map((one, at) => {
      if (!isAlive(this.world, one)) return `${at} gone`;
      const parts = this.names(one).map((name) => {
        const own = this.of(name);
        return own.kind === "tag"
          ? name
          : `${name}=${get(this.world, one, own as unknown as Component<{ x: number }>)!.x}`;
      });
      const changed =
        prefabOf(this.world, one) === undefined
          ? []
          : overridesOf(this.world, one).map(({ kind, definition }) => `${kind} ${definition?.name}`);
      return `${at} ${parts.join(" ")} | ${[...new Set(changed)].sort().join(", ")}`;
    });
  }
}

/** Gives an entity that has got something what that requires, as the rule says it. */
function complete(
  side: Side,
  before: readonly (readonly string[])[],
  requires: (typeof REQUIREMENTS)[number],
): void {
  for (const [at, entity] of side.entities.entries()) {
    const gained = side.names(entity).filter((name) => before[at]?.includes(name) !== true);
    const all = new Set(gained);
    for (const name of all) for (const one of requires[name] ?? []) all.add(one);
    for (const name of all)
      if (isAlive(side.world, entity) && !has(side.world, entity, side.of(name)))
        add(side.world, entity, side.of(name));
  }
}

type Step = (side: Side) => void;

function chooseStep(dice: Dice, known: Side): Step {
  const places = known.entities.map((_, at) => at).filter((at) => isAlive(known.world, known.entities[at]!));
  const bases = places.filter(
    (at) => prefabs.has(at) && parentOf(known.world, known.entities[at]!) === undefined,
  );
  const terms = dice
    .pick([[dice.pick(NAMES)], [...new Set([dice.pick(NAMES), dice.pick(NAMES)])]])
    .map((name) => [name, dice.chance(0.4) ? dice.below(9) : undefined] as const);
  const one = places.length === 0 ? 0 : dice.pick(places);
  const other = places.length === 0 ? 0 : dice.pick(places);
  const base = bases.length === 0 ? -1 : dice.pick(bases);
  const [name] = terms[0]!;
  const kind = dice.below(16);
  const below = dice.chance(0.5) && places.length > 0 && !(base >= 0 && kind > 8);
  const at = (side: Side, place: number): Entity => side.entities[place]!;
  const given = (side: Side): SpawnTerm[] => [
    ...side.terms(terms),
    ...(below ? [ChildOf(at(side, one))] : []),
  ];
  if (places.length === 0 || kind === 0)
    return (side) => side.note([prefab(side.world, ...side.terms(terms))]);
  if (kind === 1) return (side) => side.note([spawn(side.world, ...given(side))]);
  if (kind === 2) return (side) => side.note(spawnMany(side.world, 2, ...given(side)));
  if (kind === 3) return (side) => side.note(spawnRows(side.world, 2, given(side)));
  if (kind === 4) return (side) => add(side.world, at(side, one), ...side.terms(terms));
  if (kind === 5)
    return (side) =>
      addMany(side.world, [...new Set([at(side, one), at(side, other)])], ...side.terms(terms));
  if (kind === 6 || kind === 7) return (side) => remove(side.world, at(side, one), side.of(name));
  if (kind === 8) return (side) => side.note([clone(side.world, at(side, one), { with: given(side) })]);
  if (kind === 9)
    return (side) => {
      const root = at(side, one);
      if (
        prefabOf(side.world, root) !== undefined ||
        [root, ...descendants(side.world, root)].some(
          (part) => prefabs.has(side.entities.indexOf(part)) || prefabOf(side.world, part) !== undefined,
        )
      )
        return;
      const definitions = [...side.definitions.values()];
      side.note(fromDocument(side.world, toDocument(side.world, { root }), { definitions }));
      side.note(fromBinary(side.world, toBinary(side.world, { root }), { definitions }));
    };
  if (kind === 10)
    return (side) => {
      const made: Entity[] = [];
      each(query(side.world, side.of("A")), () => {
        if (made.length === 0) made.push(spawn(side.world, ...given(side)));
      });
      side.note(made);
    };
  if (base < 0) return () => {};
  if (kind === 11)
    return (side) => side.note([instantiate(side.world, at(side, base), { with: side.terms(terms) })]);
  if (kind === 12) return (side) => side.note(instantiate(side.world, at(side, base), { count: 2 }));
  if (kind === 13) return (side) => side.note([spawn(side.world, ...side.terms(terms), IsA(at(side, base)))]);
  if (kind === 14)
    return (side) => side.note([spawn(side.world, ...side.terms(terms), ChildOf(at(side, base)))]);
  return (side) => {
    refreshInstances(side.world, at(side, base));
    side.note(side.entities.filter((entity) => isAlive(side.world, entity)));
  };
}

/** The places of prefabs. */
const prefabs = new Set<number>();

it.each(Array.from({ length: WALKS }, (_, at) => at + 1))(
  "components that require others are as if these had been added one by one: walk %i",
  (seed) => {
    const dice = createDice(seed);
    const drawn = draw(dice);
    const requires = dice.pick(REQUIREMENTS);
    const real = new Side(drawn, requires);
    const plain = new Side(drawn, {});
    prefabs.clear();
    for (let turn = 0; turn < STEPS; turn++) {
      const step = chooseStep(dice, real);
      const known = real.entities.length;
      step(real);
      if (real.entities.length > known && has(real.world, real.entities[known]!, Prefab)) prefabs.add(known);
      const before = plain.entities.map((one) => plain.names(one));
      step(plain);
      complete(plain, before, requires);

      expect(real.drawing(), `seed ${seed}, turn ${turn}`).toEqual(plain.drawing());
      expect(verify(real.world)).toEqual([]);
    }
  },
);
