// All that is state of a world (`SavedWorld`); when it may be read (`requireIdle`); who hears of a restore.
import { TreelineError } from "../base/error.ts";
import { type Graph, indexArchetype } from "../graph/graph.ts";
import type { Archetype } from "../storage/archetype.ts";
import { type JournalReader, noteAll } from "../storage/journal.ts";
import { emptyStore, NO_PLACES, type SparseStore } from "../storage/sparse.ts";
import { buffersOf } from "../world/state/buffers.ts";
import { beginDeferred, endDeferred } from "../world/state/lock.ts";
import { clockOf } from "../world/state/needs-of.ts";
import { callObserver } from "../world/state/notify.ts";
import type { World } from "../world/state/world.ts";
import { Saved } from "./saved.ts";
import { makeBlank, SavedArchetype } from "./saved-archetype.ts";
import { SavedColumns } from "./saved-columns.ts";

/** A record of an upper package that is state. */
export interface Part {
  readonly record: object;
  /** The properties that are state; all by default. */
  readonly names?: readonly string[];
  /** Its `version` increases with every change of these. */
  readonly isVersioned?: boolean;
}

/** The state of upper packages. */
export interface UpperState {
  readonly parts: readonly Part[];
  /** The readers of changes whose state is among the parts; all others start over. */
  readonly readers: ReadonlySet<object>;
}

/** One sparse definition: the entities that have it, with their values. */
interface SavedStore {
  readonly store: SparseStore;
  readonly columns: SavedColumns;
  readonly records: Saved;
  pages: readonly (Int32Array<ArrayBuffer> | undefined)[];
  count: number;
}

/** All that is state of a world: all else is derived from it, or belongs to observers. */
export class SavedWorld {
  readonly world: World;
  /** False while it is written: a capture that fails leaves nothing that could be restored. */
  isWhole = false;
  /** Changes since then have later ticks. */
  tick = 0;
  private readonly records: readonly Saved[];
  private readonly archetypes: SavedArchetype[] = [];
  private founded: readonly Archetype[] = [];
  private stores: SavedStore[] = [];
  /** By record, of upper packages. */
  private upper: Map<object, Saved> = new Map();
  private going: ReadonlySet<object> = new Set();
  private readers: ReadonlyMap<JournalReader, Readonly<JournalReader>> = new Map();

  constructor(world: World) {
    const { graph, entities } = world;
    this.world = world;
    this.records = [
      new Saved(entities),
      new Saved(graph.tables),
      new Saved(graph.tables.lists),
      new Saved(graph.pairs),
      new Saved(graph.records),
      new Saved(graph.families),
      new Saved(graph, ["buckets", "hashed", "retained"]),
      new Saved(graph.journal, ["entries", "length"]),
      new Saved(world, ["pendingTable", "orders", "componentEntities", "definitionsByEntity"]),
    ];
  }

  /** @throws TreelineError `iterating`; what a `copy` hook throws. */
  capture(upper: UpperState): void {
    requireIdle(this.world, "snapshot");
    this.isWhole = false;
    refusingChanges(this.world, () => this.captureAll(upper));
    this.isWhole = true;
  }

  private captureAll({ parts, readers }: UpperState): void {
    const { world, archetypes, records } = this;
    const { graph } = world;
    this.tick = clockOf(world).now++;
    for (const one of records) one.capture();
    archetypes.length = Math.min(archetypes.length, graph.archetypes.length);
    for (const archetype of graph.archetypes) {
      const saved = (archetypes[archetype.number] ??= new SavedArchetype(world, archetype));
      saved.capture();
    }
    this.founded = [...graph.founded];
    this.stores = graph.sparse.flatMap((store) => {
      if (store === undefined) return [];
      const saved = this.stores.find((one) => one.store === store) ?? {
        store,
        columns: new SavedColumns(world, store),
        records: new Saved(
          store,
          OF_PAIRS.filter((name) => name in store),
        ),
        pages: [],
        count: 0,
      };
      saved.columns.capture(store.count);
      saved.records.capture();
      saved.pages = store.pages.map((page) => (page === NO_PLACES ? undefined : page.slice()));
      saved.count = store.count;
      return [saved];
    });
    const { upper } = this;
    const all: Part[] = [...parts, ...world.records];
    this.upper = new Map(
      all.map(({ record, names, isVersioned }) => [
        record,
        upper.get(record) ?? new Saved(record, names, isVersioned),
      ]),
    );
    for (const one of this.upper.values()) one.capture();
    this.going = readers;
    this.readers = new Map(
      graph.journal.cursors.map((reader) => [reader, { at: reader.at, lost: reader.lost }]),
    );
  }

  private get columned(): readonly (SavedArchetype | SavedColumns)[] {
    return [...this.archetypes, ...this.stores.map(({ columns }) => columns)];
  }

  private get all(): readonly Saved[] {
    return [...this.records, ...this.upper.values()];
  }

  private prepare(): void {
    const { columned, all } = this;
    try {
      refusingChanges(this.world, () => {
        for (const one of columned) one.prepare();
      });
      for (const one of all) one.prepare();
    } catch (error) {
      for (const one of columned) one.abandon();
      throw error;
    }
  }

  /**
   * Gives the world this state.
   *
   * @param begin is called before anything changes. The function that it returns makes what upper packages derive from the state, and
   *   puts back what stays as it is; it is called before observers are.
   * @throws TreelineError `iterating`; what the memory and `copy` hooks throw. Nothing has changed then. At the end, the first error of
   *   an observer.
   */
  restore(begin: () => () => void): void {
    const { world } = this;
    requireIdle(world, "restore");
    this.prepare();
    const settle = begin();
    world.slots.forgetDestroyed?.(world); // they have ended, also if their entities come back
    this.restoreAll();
    for (const one of world.records) one.settle(this.upper.has(one.record));
    settle();
    notifyRestored(world);
  }

  private restoreAll(): void {
    const { archetypes, stores, all } = this;
    const { graph } = this.world;
    for (const archetype of graph.archetypes) if (archetype.number >= archetypes.length) makeBlank(archetype);
    for (const one of all) one.restore();
    this.restoreFounded(graph);
    for (const one of archetypes) one.restore(graph.tracking);
    for (const store of graph.sparse)
      if (store !== undefined && !stores.some((one) => one.store === store)) makeEmpty(store);
    for (const one of stores) restoreStore(one);
    this.restoreReaders();
    graph.tracking.disabledEdition++;
  }

  /** Archetypes founded in another order are listed in new lists, by which queries notice it. */
  private restoreFounded(graph: Graph): void {
    const { founded } = this;
    const isSame =
      graph.founded.length === founded.length && graph.founded.every((one, at) => one === founded[at]);
    if (isSame) return;
    (graph as { founded: Archetype[] }).founded = [...founded];
    graph.componentIndex.clear();
    for (const archetype of founded) indexArchetype(graph, archetype);
  }

  /** Readers whose state was captured go on where they were; all others start over. */
  private restoreReaders(): void {
    const { journal } = this.world.graph;
    const going = journal.cursors.filter(
      (one) => this.going.has(one) && this.readers.get(one)?.lost === false,
    );
    if (going.length === 0) {
      noteAll(journal);
      return;
    }
    for (const reader of journal.cursors) {
      reader.lost = !going.includes(reader);
      reader.at = reader.lost ? 0 : this.readers.get(reader)!.at;
    }
  }

  /** Is a record of an upper package in it? */
  has(record: object): boolean {
    return this.upper.has(record);
  }

  get bytes(): number {
    const sum = (list: readonly { readonly bytes: number }[]): number =>
      list.reduce((all, { bytes }) => all + bytes, 0);
    return sum(this.all) + sum(this.columned);
  }
}

function restoreStore({ store, columns, pages, records, count }: SavedStore): void {
  const { tracks } = store.lanes;
  columns.restore(store.count);
  store.lanes.tracks = tracks;
  tracks?.handed?.rebase();
  records.restore();
  store.count = count;
  store.pages = pages.map((page) => page?.slice() ?? NO_PLACES);
}

/** The arrays of stores of pairs, which others do not have. */
const OF_PAIRS: readonly string[] = ["links", "buckets"];

function makeEmpty(store: SparseStore): void {
  emptyStore(store);
  if (OF_PAIRS[0]! in store) Object.assign(store, { links: new Int32Array(0), buckets: new Int32Array(16) });
}

/** Calls `copy` hooks: as `check` hooks they cannot change entities. */
function refusingChanges(world: World, run: () => void): void {
  world.deferDepth++;
  world.checks++;
  try {
    run();
  } finally {
    world.checks--;
    world.deferDepth--;
  }
}

/** @throws TreelineError `iterating` while the world is read or changed, or has recorded commands. */
export function requireIdle(world: World, verb: string): void {
  const { deferDepth, hasCommands, commands } = world;
  const { filled, recording } = buffersOf(world);
  if (deferDepth === 0 && !hasCommands && !commands.isFlushing && filled.size === 0 && recording === 0)
    return;
  const why =
    filled.size > 0 && deferDepth === 0
      ? "has recorded commands: apply or discard them first"
      : "is read or changed; do it afterwards";
  throw new TreelineError("iterating", `${verb} is called between commands, but this world ${why}`);
}

/** Calls the observers of `restored`. Their changes are deferred until all have been called; an error does not stop the others. */
function notifyRestored(world: World): void {
  world.slots.forgetDestroyed?.(world);
  beginDeferred(world);
  for (const observer of world.events.observers)
    if (observer.kind === "restored" && !observer.isStopped)
      callObserver(world, observer, { kind: "restored" });
  endDeferred(world, true);
}
