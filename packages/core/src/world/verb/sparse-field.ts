import type { Component } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { placeIn, planOf } from "../../storage/sparse.ts";
import { requireFits } from "../state/collected-values.ts";
import { requireAlive } from "../state/require.ts";
import { noteWritten } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { Access, isPlainWrite } from "./field.ts";

/** Reads and writes one field of a sparse component, without looking at tables; what is not a plain number, as Access. */
export class SparseAccess extends Access {
  private readonly id: number;

  constructor(definition: Component, at: number, item: number | undefined) {
    super(definition, at, item);
    this.id = definition.id;
    // As in the stores of all worlds.
    this.laneField = planOf(definition).columns[0]!.fields[at]!;
    this.lane = this.laneField.lane;
  }

  override get(world: World, entity: Entity): unknown {
    const { graph, entities } = world;
    const index = indexOf(entity);
    const store = graph.sparse[this.id];
    if (store !== undefined && entities.handles[index] === entity) {
      const place = placeIn(store, index);
      if (place >= 0) return this.read(world, store.lanes, this.laneField!, place);
    }
    const none = missing(world, entity);
    return world.slots.pending === undefined ? none : this.seen(world, index);
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const index = indexOf(entity);
    const store = graph.sparse[this.id];
    CHECK: if (typeof value === "number") requireFits(this.definition, this.at, value);
    if (
      store !== undefined &&
      entities.handles[index] === entity &&
      typeof value === "number" &&
      this.takesNumbers &&
      isPlainWrite(world, this.definition)
    ) {
      const place = placeIn(store, index);
      if (place >= 0) {
        const { lanes } = store;
        this.write(lanes, this.lane * lanes.stride + place * this.length + this.item, value);
        if (graph.tracking.tracked.length > 0) noteWritten(world, index, this.definition);
        return;
      }
    }
    this.setWhole(world, entity, value);
  }
}

/** A call: until it is made, V8 knows no branch that returns `undefined`, and does not box the numbers of the other one. */
function missing(world: World, entity: Entity): undefined {
  requireAlive(world, entity);
  return undefined;
}
