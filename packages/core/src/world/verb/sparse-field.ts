import type { Component } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import type { LaneField } from "../../storage/lanes.ts";
import { placeIn, type SparseStore } from "../../storage/sparse.ts";
import { requireAlive } from "../state/require.ts";
import { noteWritten } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { Access, isPlainWrite } from "./field.ts";

/** Reads and writes one field of a sparse component, without looking at tables; what is not a plain number, as Access. */
export class SparseAccess extends Access {
  private readonly id: number;
  private column: LaneField | undefined = undefined;

  constructor(definition: Component, at: number, item: number | undefined) {
    super(definition, at, item);
    this.id = definition.id;
  }

  override get(world: World, entity: Entity): unknown {
    const { graph, entities } = world;
    const index = indexOf(entity);
    if (entities.handles[index] !== entity || entity < 0) requireAlive(world, entity);
    const store = graph.sparse[this.id];
    if (store === undefined) return undefined;
    const place = placeIn(store, index);
    if (place < 0) return undefined;
    return this.read(world, store.lanes, this.column ?? this.columnIn(store), place);
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const index = indexOf(entity);
    const store = graph.sparse[this.id];
    if (
      entities.handles[index] === entity &&
      typeof value === "number" &&
      this.takesNumbers &&
      store !== undefined &&
      isPlainWrite(world, this.definition)
    ) {
      const place = placeIn(store, index);
      if (place >= 0) {
        const { lanes } = store;
        const column = this.column ?? this.columnIn(store);
        this.write(lanes, column.lane * lanes.stride + place * this.length + this.item, value);
        if (graph.tracking.tracked.length > 0) noteWritten(world, index, this.definition);
        return;
      }
    }
    this.setWhole(world, entity, value);
  }

  /** It is laid out in the same way in all worlds. */
  private columnIn(store: SparseStore): LaneField {
    this.column = store.column!.fields[this.at]!;
    return this.column;
  }
}
