import { readFileSync } from "node:fs";
import {
  ChildOf,
  clone,
  component,
  createWorld,
  type Entity,
  observe,
  observeChildren,
  observeEntity,
  observeRoots,
  pack,
  relation,
  sparse,
  spawn,
  tag,
  type World,
  webAssemblyMemory,
  withHooks,
} from "@treeline/core";
import { withCodec } from "@treeline/document";
import { compress, decompress, fromBinary, toBinary } from "@treeline/document/binary";
import { fromDocument, toDocument } from "@treeline/document/json";
import { keep, snapshot, snapshotRing } from "@treeline/document/snapshot";
import { configureNames, ensurePath, findAll, lookup, Name, path, pathOf, place } from "@treeline/names";
import { instantiate, prefab } from "@treeline/prefab";
import { loadPrefabs } from "@treeline/prefab/document";
import {
  below,
  cascade,
  changed,
  each,
  eachBatch,
  eachLevel,
  eachRun,
  entities,
  groupBy,
  inOrder,
  monitor,
  monitorGroups,
  observeAbove,
  orderBy,
  query,
  rows,
  selfOrUp,
  up,
} from "@treeline/query";
import { World3D } from "@treeline/transform/3d";
import { describe, expect, it } from "vitest";

/*
 * One rule for all options: one that is `undefined` counts as not given.
 */

const Position = component("Position", { x: 0 });

/** An object with options that are all `undefined`. */
function none<Names extends string>(...names: Names[]): { readonly [name in Names]: undefined } {
  return Object.fromEntries(names.map((name) => [name, undefined])) as never;
}

interface Fleet {
  readonly world: World;
  readonly ship: Entity;
  readonly hold: Entity;
}

function fleet(): Fleet {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"), Position, World3D);
  return { world, ship, hold: spawn(world, Name("Hold"), Position, World3D, ChildOf(ship)) };
}

const nothing = (): void => {};
const NAMES = ["from", "separator", "prefix"] as const;
const LOADING = [
  "parent",
  "with",
  "definitions",
  "unknown",
  "resolve",
  "limits",
  "ids",
  "prefabs",
  "lost",
] as const;
const documentOf = ({ world, ship }: Fleet) => toDocument(world, { root: ship });

/** By the name of their options: calls that take them. Each is called with all options `undefined`, and without any. */
const CALLS: readonly [options: string, act: (fleet: Fleet, isGiven: boolean) => unknown][] = [
  ["StorageOptions", (_, is) => component("A", { x: 0 }, is ? none("storage", "onInstantiate") : {}).storage],
  ["StorageOptions", (_, is) => tag("B", is ? none("storage", "onInstantiate") : {}).storage],
  [
    "RelationOptions",
    (_, is) => {
      const all = ["exclusive", "acyclic", "traversable", "symmetric", "reflexive", "maxSubjects"] as const;
      const made = relation("C", is ? none(...all, "onTargetDestroy", "storage", "onInstantiate") : {});
      return [made.exclusive, made.acyclic, made.traversable, made.maxSubjects, made.onTargetDestroy];
    },
  ],
  [
    "Hooks",
    (_, is) =>
      typeof withHooks(component("D", { x: 0 }), is ? (none("check", "copy", "identifies") as object) : {}),
  ],
  ["WorldOptions", (_, is) => typeof createWorld(is ? none("memory", "strict", "ifParentDestroyed") : {})],
  ["WorldOptions", (_, is) => typeof webAssemblyMemory(is ? none("bytes") : {})],
  [
    "CloneOptions",
    ({ world, ship }, is) => pathOf(world, clone(world, ship, is ? none("deep", "with") : {})).length,
  ],
  [
    "ObserveOptions",
    ({ world, ship }, is) => {
      const options = is ? none("yieldExisting", "after", "inherited") : {};
      const calls: string[] = [];
      const note = (): number => calls.push("");
      observe(world, { added: Position }, note, options);
      observeEntity(world, ship, { set: Position }, note, options);
      observeChildren(world, ship, note, is ? none("yieldExisting", "after") : {});
      observeRoots(world, note, is ? none("yieldExisting", "after") : {});
      return calls;
    },
  ],
  ["PackOptions", ({ world }, is) => pack(world, is ? none("budget", "now") : {})],
  [
    "IterationOptions",
    ({ world }, is) => {
      const options = is ? none("writes") : {};
      let rows = 0;
      eachRun(query(world, Position), () => rows++, options);
      eachBatch(query(world, Position, cascade(Position)), () => rows++, options);
      eachLevel(query(world, Position, cascade(Position)), () => rows++, options);
      return rows;
    },
  ],
  [
    "ReadOptions",
    ({ world }, is) => {
      let found = 0;
      const options = is ? none("reads") : {};
      each(query(world, Position), () => void found++, options);
      for (const _ of rows(query(world, Position), options)) found++;
      return found;
    },
  ],
  [
    "MonitorOptions",
    ({ world }, is) => {
      const seen: unknown[] = [];
      const options = is ? none("yieldExisting") : {};
      monitor(query(world, Position), { entered: (one) => seen.push(one) }, options);
      monitorGroups(query(world, Position, groupBy(ChildOf)), { began: (key) => seen.push(key) }, options);
      return seen;
    },
  ],
  [
    "ObserveAboveOptions",
    ({ world }, is) => typeof observeAbove(world, Position, nothing, is ? none("yieldExisting") : {}),
  ],
  [
    "OrderOptions",
    ({ world }, is) => entities(query(world, orderBy(Position, "x", is ? none("desc") : {}))).length,
  ],
  ["InOrderOptions", ({ world }, is) => entities(query(world, inOrder(is ? none("relation") : {}))).length],
  [
    "UpOptions",
    ({ world }, is) => {
      const options = is ? none("relation") : {};
      return [up(Position, options), selfOrUp(Position, options), below(changed(Position), options)].map(
        (term) => entities(query(world, Position, term)).length,
      );
    },
  ],
  [
    "CascadeOptions",
    ({ world }, is) => entities(query(world, cascade(Position, is ? none("relation", "desc") : {}))).length,
  ],
  [
    "PathOptions",
    ({ world, hold }, is) => {
      const options = is ? none(...NAMES) : {};
      return [
        pathOf(world, hold, options),
        path(world, "Ship::Hold", options).entity === hold,
        findAll(world, "*", options).length,
      ];
    },
  ],
  [
    "LookupOptions",
    ({ world, hold }, is) =>
      lookup(world, "Ship::Hold", is ? none(...NAMES, "upwards", "search") : {}) === hold,
  ],
  ["LookupOptions", ({ world }, is) => lookup(world, "Hold", is ? { from: undefined, upwards: true } : {})],
  [
    "EnsureOptions",
    ({ world, hold }, is) => {
      const options = is ? none(...NAMES, "storage") : {};
      place(world, hold, "Dock::Hold", options);
      return [pathOf(world, ensurePath(world, "Ship::Raft", options)), pathOf(world, hold)];
    },
  ],
  [
    "NameOptions",
    ({ world, hold }, is) => {
      configureNames(world, is ? none("collisions", "separator", "search", "along") : {});
      return pathOf(world, hold);
    },
  ],
  [
    "Selection",
    ({ world, ship }, is) => toDocument(world, { ...(is && none("entities", "all", "where")), root: ship }),
  ],
  [
    "SaveOptions",
    ({ world, ship }, is) =>
      toDocument(world, {
        ...(is && none("components", "relations", "form", "resolve", "prefabs")),
        root: ship,
      }),
  ],
  [
    "OutsideOptions",
    ({ world, ship }, is) => toDocument(world, { ...(is && none("outside", "resolve")), root: ship }),
  ],
  [
    "BinarySaveOptions",
    ({ world, ship }, is) => [
      ...toBinary(world, { ...(is && none("components", "relations", "resolve")), root: ship }),
    ],
  ],
  [
    "LoadOptions",
    (all, is) => {
      const world = createWorld();
      const own = { definitions: [Position, Name, World3D] };
      const options = is ? { ...none(...LOADING), ...own } : own;
      const roots = [
        ...fromDocument(world, documentOf(all), options),
        ...fromBinary(createWorld(), toBinary(all.world, { root: all.ship }), options),
      ];
      return [roots.length, pathOf(world, roots[0]!)];
    },
  ],
  [
    "DocumentLimits",
    (all, is) => {
      const limits = is ? none("bytes", "inflated", "entities", "depth", "text") : {};
      const options = { limits, definitions: [Position, Name, World3D] };
      return fromDocument(createWorld(), documentOf(all), options).length;
    },
  ],
  ["Codec", (_, is) => typeof withCodec(component("E", { x: 0 }), is ? (none("schema") as object) : {})],
  ["SnapshotOptions", ({ world }, is) => typeof snapshot(world, is ? none("into") : {})],
  [
    "RingOptions",
    ({ world }, is) => {
      const ring = snapshotRing(world, { frames: 2, ...(is && none("bytes")) });
      keep(ring);
      return ring.snapshots.length;
    },
  ],
  [
    "InstanceOptions",
    ({ world }, is) => {
      const tank = prefab(world, Position({ x: 1 }));
      return pathOf(world, instantiate(world, tank, is ? none("parent", "with", "storage", "count") : {}))
        .length;
    },
  ],
  [
    "PrefabOptions",
    ({ world }, is) =>
      loadPrefabs(world, new Map(), is ? none("parent", "definitions", "unknown", "resolve", "limits") : {})
        .size,
  ],
];

describe("an option that is undefined counts as not given", () => {
  it.each(CALLS)("%s, call %#", (_, act) => {
    expect(act(fleet(), true)).toEqual(act(fleet(), false));
  });

  it("limits of decompress", async () => {
    const bytes = await compress(Uint8Array.of(1, 2, 3));

    expect(await decompress(bytes, { limits: undefined })).toEqual(Uint8Array.of(1, 2, 3));
    expect(await decompress(bytes, { limits: { bytes: undefined } })).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("is tested for all options of the public interface", () => {
    const known = new Set(CALLS.map(([name]) => name));
    const names = ["core", "query", "names", "document", "prefab", "transform"].flatMap((one) => {
      const api = readFileSync(new URL(`../../../tooling/api/${one}.d.txt`, import.meta.url), "utf8");
      return [...api.matchAll(/export interface (\w*Options|Selection|DocumentLimits)\b/g)].map(
        ([, name]) => name!,
      );
    });

    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

it("a storage that is undefined is none, and sparse is one", () => {
  expect([
    component("G", { x: 0 }, { storage: undefined }).storage,
    component("H", { x: 0 }, { storage: sparse }).storage,
  ]).toEqual(["table", "sparse"]);
});
