import type { Component } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import type { LaneField } from "../../storage/lanes.ts";
import { placeIn, type SparseStore } from "../../storage/sparse.ts";
import { requireAlive } from "../state/require.ts";
import { noteWritten, readField } from "../state/values.ts";
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
    const { lanes } = store;
    const column = this.column ?? this.columnIn(store);
    const at = column.lane * lanes.stride + place * this.length + this.item;
    switch (this.kind) {
      case 0:
        return lanes.f32[at];
      case 1:
        return lanes.f64[at];
      case 2:
        return lanes.i32[at];
      case 3:
        return lanes.u32[at];
      case 4:
        return lanes.i16[at];
      case 5:
        return lanes.u16[at];
      case 6:
        return lanes.i8[at];
      case 7:
        return lanes.u8[at];
      default:
        return readField(world, lanes, column, place);
    }
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const index = indexOf(entity);
    const store = graph.sparse[this.id];
    const { kind } = this;
    if (
      entities.handles[index] === entity &&
      typeof value === "number" &&
      kind >= 0 &&
      kind < 8 &&
      store !== undefined &&
      isPlainWrite(world, this.definition)
    ) {
      const place = placeIn(store, index);
      if (place >= 0) {
        const { lanes } = store;
        const column = this.column ?? this.columnIn(store);
        const at = column.lane * lanes.stride + place * this.length + this.item;
        if (kind === 0) lanes.f32[at] = value;
        else if (kind === 1) lanes.f64[at] = value;
        else if (kind === 2) lanes.i32[at] = value;
        else if (kind === 3) lanes.u32[at] = value;
        else if (kind === 4) lanes.i16[at] = value;
        else if (kind === 5) lanes.u16[at] = value;
        else if (kind === 6) lanes.i8[at] = value;
        else lanes.u8[at] = value;
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
