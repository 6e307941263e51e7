// How `field` reads and writes one field of a sparse component, without looking at tables (`SparseAccess`).
import { type Entity, indexOf } from "../../id/entity.ts";
import { type FieldColumn, keepColumn } from "../../storage/field-columns.ts";
import { placeIn } from "../../storage/sparse.ts";
import { requireFits } from "../state/collected-values.ts";
import { requireAlive } from "../state/require.ts";
import type { World } from "../state/world.ts";
import { Access } from "./field.ts";

/** Reads and writes one field of a sparse component, without looking at tables. */
export class SparseAccess extends Access {
  override get(world: World, entity: Entity): unknown {
    const { graph, entities } = world;
    const index = indexOf(entity);
    const store = graph.sparse[this.definition.id];
    if (store !== undefined && entities.handles[index] === entity) {
      const place = placeIn(store, index);
      if (place >= 0) {
        let columns = graph.columns[this.number];
        if (columns === undefined) columns = this.columnsIn(world);
        let column = columns.byArchetype[0];
        if (column === undefined) column = this.find(world)!;
        return this.read(world, column, place * this.length + this.item);
      }
    }
    const none = missing(world, entity);
    return world.slots.pending === undefined ? none : this.seen(world, entity);
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const index = indexOf(entity);
    const store = graph.sparse[this.definition.id];
    CHECK: if (typeof value === "number") requireFits(this.definition, this.at, value);
    if (
      store !== undefined &&
      entities.handles[index] === entity &&
      this.takes(value) &&
      this.isPlain(world, index)
    ) {
      const place = placeIn(store, index);
      if (place >= 0) {
        const column = this.columnsIn(world).byArchetype[0] ?? this.find(world)!;
        this.write(world, index, column, place * this.length + this.item, value);
        return;
      }
    }
    this.setWhole(world, entity, value);
  }

  /** The column of the store, which there is. */
  protected override find(world: World): FieldColumn | undefined {
    const { lanes, column } = world.graph.sparse[this.definition.id]!;
    return keepColumn(this.columnsIn(world), 0, lanes, column!.fields[this.at]!);
  }
}

/** A call: until it is made, V8 knows no branch that returns `undefined`, and does not box the numbers of the other one. */
function missing(world: World, entity: Entity): undefined {
  requireAlive(world, entity);
  return undefined;
}
