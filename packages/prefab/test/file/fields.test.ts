import {
  add,
  addMany,
  array,
  bool,
  ChildOf,
  type Component,
  component,
  createWorld,
  type Entity,
  entity,
  f32,
  get,
  Parent,
  patch,
  remove,
  type SpawnTerm,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { lookup, Name } from "@treeline/names";
import { each, maybe, query } from "@treeline/query";
import { expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "../../src/document.ts";
import { IsA, instantiate, overridesOf, Prefab, prefab, refreshInstances, revert } from "../../src/index.ts";
import { newWorld } from "../cases/fixture.ts";
import { Dice } from "../dice.ts";

/*
 * Libraries of prefabs with variants and instances in one another, whose fields are changed at every level. The twin knows for each entity
 * which fields it overrides: all others are those of what it was made from, in turn.
 */

const FIELDS = { a: 0, b: f32, isOn: bool, list: array(f32, 3), at: entity };
const Shared = component("Shared", FIELDS, { onInstantiate: "inherit" });
const Copied = component("Copied", FIELDS);
const Title = component<string>("Title", undefined, { onInstantiate: "inherit" });
const Label = component<string>("Label");
const ALL: readonly Component[] = [Shared, Copied, Title, Label] as never;
const definitions = [Shared, Copied, Title, Label];
const SEEDS = 12 * Number(process.env.TREELINE_WALKS ?? 1);
newWorld(); // the fixture verifies one after each test

type FieldName = keyof typeof FIELDS;
/** By component and field, which is "" for a whole value: `"Shared.a"`. A node is an entity. */
type Fields = Map<string, unknown>;

/** An entity, the same in all worlds. */
class Node {
  readonly path: readonly string[];
  readonly tree: Tree;
  readonly from: Node | undefined;
  readonly own: Fields = new Map();
  constructor(path: readonly string[], tree: Tree, from?: Node) {
    this.path = path;
    this.tree = tree;
    this.from = from;
  }

  valueOf(field: string): unknown {
    if (this.own.has(field)) return this.own.get(field);
    const value = this.from!.valueOf(field);
    return value instanceof Node ? (this.tree.inside.get(value) ?? value) : value;
  }

  /** Values that equal what is inherited are no overrides. */
  settle(): void {
    if (this.from === undefined) return;
    for (const [field, value] of [...this.own]) {
      this.own.delete(field);
      if (JSON.stringify(shown(this.valueOf(field))) !== JSON.stringify(shown(value)))
        this.own.set(field, value);
    }
  }
}

/** A prefab or an instance, with what is in it. */
interface Tree {
  readonly nodes: Node[];
  /** What a node of the prefab is in it. */
  readonly inside: Map<Node, Node>;
  readonly key: string | undefined;
}

/** A typed array as a list. */
function listed(value: unknown): unknown {
  return ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value;
}

function shown(value: unknown): unknown {
  return value instanceof Node ? value.path.join("/") : value;
}

class Library {
  readonly dice: Dice;
  readonly worlds: World[] = [createWorld()];
  readonly trees: Tree[] = [];
  readonly outside: Node[] = [];
  /** The loaded world gets edits of prefabs from newer files. */
  isByFiles = false;
  /** Prefabs whose instances have not followed yet. */
  readonly edited: Set<string> = new Set();
  private last = 0;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    spawn(this.world, Name("Level"));
    for (const name of ["Here", "There"]) {
      spawn(this.world, Name(name));
      this.outside.push(new Node([name], { nodes: [], inside: new Map(), key: undefined }));
    }
    for (let at = 0; at < 2 + this.dice.below(4); at++) this.makePrefab(at);
    for (let at = 0; at < 2 + this.dice.below(4); at++) this.makeInstance(at);
  }

  get world(): World {
    return this.worlds[0]!;
  }

  get keyed(): Tree[] {
    return this.trees.filter(({ key }) => key !== undefined);
  }

  entityOf(node: Node, world: World = this.world): Entity {
    return lookup(world, node.path)!;
  }

  /** A new value of a field, which nothing else has. */
  valueFor(node: Node, field: string): unknown {
    const { dice } = this;
    const number = ++this.last;
    if (field.endsWith(".a") || field.endsWith(".b")) return number;
    if (field.endsWith(".isOn")) return node.from === undefined ? dice.below(2) === 0 : !node.valueOf(field);
    if (field.endsWith(".list")) return [number, dice.below(2), number];
    if (field.endsWith(".at")) return dice.pick([...this.outside, ...node.tree.nodes]);
    return `v${number}`;
  }

  makePrefab(at: number): void {
    const { dice, world } = this;
    const name = `P${at}`;
    const tree: Tree = { nodes: [], inside: new Map(), key: name };
    const base = at > 0 && dice.below(2) === 0 ? dice.pick(this.keyed) : undefined;
    const root = prefab(world, PrefabKey(name), Name(name), ...this.isA(base));
    if (base !== undefined) this.mirror(base, [name], tree);
    else this.addPart([name], root, tree);
    for (let part = 0; part < dice.below(3); part++) {
      const { path } = dice.pick(tree.nodes);
      const parent = lookup(world, path)!;
      const own = [...path, `N${at}${part}`];
      if (at > 0 && dice.below(2) === 0) {
        const inner = dice.pick(this.keyed);
        instantiate(world, this.entityOf(inner.nodes[0]!), { parent, with: [Name(own.at(-1)!)] });
        // The parts of an inner instance are parts of the prefab.
        const inside: Tree = { nodes: [], inside: new Map(), key: undefined };
        this.mirror(inner, own, inside);
        tree.nodes.push(...inside.nodes);
      } else this.addPart(own, spawn(world, dice.pick([ChildOf, Parent])(parent), Name(own.at(-1)!)), tree);
    }
    this.trees.push(tree);
    for (let change = 0; change < 4; change++) this.change(dice.pick(tree.nodes));
    this.refresh();
  }

  private isA(base: Tree | undefined): SpawnTerm[] {
    return base === undefined ? [] : [IsA(this.entityOf(base.nodes[0]!))];
  }

  /** Nodes for all that an instance has. */
  private mirror(base: Tree, path: readonly string[], tree: Tree): void {
    const { length } = base.nodes[0]!.path;
    for (const part of base.nodes) {
      const node = new Node([...path, ...part.path.slice(length)], tree, part);
      tree.nodes.push(node);
      tree.inside.set(part, node);
    }
  }

  private addPart(path: readonly string[], entity: Entity, tree: Tree): void {
    const node = new Node(path, tree);
    tree.nodes.push(node);
    for (const field of FIELD_NAMES) node.own.set(field, this.valueFor(node, field));
    for (const definition of ALL)
      add(this.world, entity, this.termOf(node, definition, this.world, FIELD_NAMES));
  }

  makeInstance(at: number): void {
    const { dice, world } = this;
    const base = dice.pick(this.keyed);
    const path = ["Level", `I${at}`];
    const tree: Tree = { nodes: [], inside: new Map(), key: undefined };
    instantiate(world, this.entityOf(base.nodes[0]!), {
      parent: lookup(world, "Level")!,
      with: [Name(`I${at}`)],
    });
    this.mirror(base, path, tree);
    this.trees.push(tree);
  }

  /** A term with some fields of a node as it is in the twin. */
  private termOf(node: Node, { name, holds }: Component, world: World, fields: readonly string[]): SpawnTerm {
    const value = this.plain(node, name, world, fields);
    const definition = ALL.find((one) => one.name === name) as unknown as (value: unknown) => SpawnTerm;
    return definition(holds === "fields" ? value : value[""]);
  }

  private plain(
    node: Node,
    name: string,
    world: World,
    fields: readonly string[],
  ): { [field: string]: unknown } {
    const own = fields.filter((field) => field.startsWith(`${name}.`));
    return Object.fromEntries(
      own.map((field) => {
        const value = node.valueOf(field);
        return [field.slice(name.length + 1), value instanceof Node ? this.entityOf(value, world) : value];
      }),
    );
  }

  /** The worlds in which a node is changed itself. */
  private worldsOf(node: Node): World[] {
    return this.isByFiles && node.path[0] !== "Level" ? [this.world] : this.worlds;
  }

  change(node: Node): void {
    this.changeFields(node);
    if (node.path[0] !== "Level") this.edited.add(node.path[0]!);
  }

  /** Overrides some fields of a node, or lets it share again. */
  private changeFields(node: Node): void {
    const { dice } = this;
    const definition = dice.pick(ALL);
    const { name } = definition;
    const fields = FIELD_NAMES.filter((field) => field.startsWith(`${name}.`));
    if (node.from !== undefined && dice.below(4) === 0) {
      for (const field of fields) node.own.delete(field);
      const isShared = definition.onInstantiate === "inherit" && dice.below(2) === 0;
      // What reverts to a copy gets it at once, whatever has not followed yet.
      if (!isShared && definition.onInstantiate === "copy") this.refresh();
      for (const world of this.worldsOf(node)) {
        if (isShared) remove(world, this.entityOf(node, world), definition);
        else revert(world, this.entityOf(node, world), definition);
      }
      return;
    }
    const some = definition.holds === "fields" ? fields.filter(() => dice.below(3) === 0) : fields;
    const isSame = dice.below(5) === 0; // the value that it has or inherits, given again
    // What equals what is inherited by chance follows it: so all has followed before a field changes that has few values.
    if (isSame || some.some((field) => /isOn|at$/.test(field))) this.refresh();
    if (!isSame) for (const field of some) node.own.set(field, this.valueFor(node, field));
    const way = dice.below(5);
    for (const world of this.worldsOf(node)) {
      const one = this.entityOf(node, world);
      const value = this.plain(node, name, world, some);
      if (definition.holds !== "fields") set(world, one, definition as never, value[""] as never);
      else if (way === 0) add(world, one, this.termOf(node, definition, world, some));
      else if (way === 1) addMany(world, [one], this.termOf(node, definition, world, some));
      else if (way === 2) patch(world, one, definition, (row) => void Object.assign(row as object, value));
      else if (way === 3)
        each(query(world, definition, maybe(Prefab)), (row, _, entity) => {
          if (entity === one) Object.assign(row as object, value);
        });
      else set(world, one, definition as never, value as never);
    }
  }

  refresh(): void {
    const [first, loaded] = this.worlds;
    for (const world of this.isByFiles ? [first!] : this.worlds)
      for (const key of this.edited) refreshInstances(world, prefabAt(world, key)!);
    if (this.isByFiles && loaded !== undefined && this.edited.size > 0)
      loadPrefabs(loaded, this.library(), { definitions });
    this.edited.clear();
    for (const { nodes } of this.trees) for (const node of nodes) node.settle();
  }

  private save(root: Entity): string {
    return writeJson(toDocument(this.world, { root, prefabs }));
  }

  private library(): Map<string, string> {
    return new Map(this.keyed.map(({ key }) => [key!, this.save(prefabAt(this.world, key!)!)]));
  }

  /** A further world, loaded from files of the first one. */
  reload(): void {
    const { world } = this;
    const texts = this.library();
    const level = this.save(lookup(world, "Level")!);
    const other = createWorld();
    for (const { path } of this.outside) spawn(other, Name(path[0]!));
    loadPrefabs(other, texts, { definitions });
    fromDocument(other, level, { definitions, prefabs });
    this.worlds.splice(1, 1, other);
  }

  compare(about: string): void {
    for (const [number, world] of this.worlds.entries()) {
      const real: unknown[] = [];
      const twin: unknown[] = [];
      const pathOf = new Map(
        [...this.outside, ...this.trees.flatMap(({ nodes }) => nodes)].map((node) => [
          this.entityOf(node, world),
          node.path.join("/"),
        ]),
      );
      for (const { nodes } of this.trees) {
        for (const node of nodes) {
          const one = this.entityOf(node, world);
          for (const field of FIELD_NAMES) {
            const [name, part] = field.split(".") as [string, FieldName | ""];
            const whole = get(world, one, ALL.find((definition) => definition.name === name)!) as {
              [name: string]: unknown;
            };
            const value = part === "" ? whole : whole[part];
            // An inherited value is that of the prefab, to which its entities belong.
            const isRead = name === "Shared" && part === "at" && node.from !== undefined;
            if (isRead && !overriddenBy(node).some(([own]) => own === name)) continue;
            const line = (one: unknown): string => `${node.path.join("/")} ${field} ${JSON.stringify(one)}`;
            real.push(line(part === "at" ? (pathOf.get(value as Entity) ?? "?") : listed(value)));
            twin.push(line(shown(node.valueOf(field))));
          }
        }
        const [root] = nodes;
        if (root!.from === undefined) continue;
        real.push(this.overridesIn(world, root!, pathOf));
        const tops = nodes.filter(({ from, tree }) => from !== undefined && tree === root!.tree);
        twin.push(
          tops
            .flatMap((node) =>
              overriddenBy(node).map(([name, ...fields]) => `${node.path.join("/")} ${name} ${fields}`),
            )
            .sort(),
        );
      }
      expect([about, number, real]).toEqual([about, number, twin]);
      expect([about, number, verify(world)]).toEqual([about, number, []]);
    }
  }

  private overridesIn(world: World, root: Node, pathOf: ReadonlyMap<Entity, string>): string[] {
    return overridesOf(world, this.entityOf(root, world))
      .filter(({ kind }) => kind === "value")
      .map(({ entity, definition, fields }) => `${pathOf.get(entity)} ${definition!.name} ${fields}`)
      .sort();
  }
}

const FIELD_NAMES: readonly string[] = ALL.flatMap(({ name, fields }) =>
  fields.map(([field]) => `${name}.${field}`),
);

/** The names of components, each with the fields that a node overrides. */
function overriddenBy({ own }: Node): string[][] {
  return ALL.map(({ name, fields }) => [
    name,
    ...fields.map(([field]) => field).filter((field) => own.has(`${name}.${field}`)),
  ])
    .filter(({ length }) => length > 1)
    .map((one) => one.filter((field) => field !== ""));
}

test("fields that are not overridden follow what they come from, at every level, also in worlds that were loaded", () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const library = new Library(seed);
    library.compare(`seed ${seed}, made`);
    for (let round = 0; round < 4; round++) {
      for (let at = 0; at < 6; at++)
        library.change(library.dice.pick(library.dice.pick(library.trees).nodes));
      library.refresh();
      library.isByFiles = library.dice.below(2) === 0;
      for (let at = 0; at < 4; at++)
        library.change(library.dice.pick(library.dice.pick(library.trees).nodes));
      if (round === 1 || library.dice.below(3) === 0) library.reload();
      library.refresh();
      library.compare(`seed ${seed}, round ${round}`);
    }
  }
});
