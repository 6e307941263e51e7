// Values of instances by slot: which are copied, and which ranges are sent (`SlotColumn`).
import { type Component, type Entity, get, type Numbers, type World } from "@treeline/core";
import { columnsOf, indexOf, keepTicks } from "@treeline/core/internal";
import { changed, dispose, entities, type Query, query } from "@treeline/query";
import { InstancedBufferAttribute } from "three";
import { eachWritten } from "../base/written-rows.ts";

/** Above this share of all instances that wait to be sent, everything is sent to the graphics card. */
const WHOLE_SHARE = 0.25;
/** A range counts as this many instances more: each is a call of the graphics card. */
const RANGE_COST = 8;

/** Values of instances by slot, for the graphics card: their matrices, colours, or what a shader of yours reads. */
export class SlotColumn {
  attribute: InstancedBufferAttribute;
  private readonly world: World;
  private readonly what: Component;
  /** Lengths of the fields, in their order. */
  private readonly lengths: readonly number[];
  private readonly size: number;
  /** Finds whose values have changed, if they may be those of prefabs: such entities have no columns. */
  private inheriting: Query | undefined;
  /** Up to which tick values have been copied. */
  private since = -1;
  /** First slots and ends of what has changed since the last call of `send`. */
  private ranges: number[] = [];
  /** How many instances have changed since the last upload, with what their ranges count. A mesh that is not seen has no uploads. */
  private waiting = 0;
  /** The whole attribute waits to be sent. */
  private isWhole = true;

  constructor(world: World, what: Component, capacity: number) {
    this.world = world;
    this.what = what;
    this.lengths = what.fields.map(([, { length }]) => length);
    this.size = this.lengths.reduce((sum, length) => sum + length, 0);
    keepTicks(world, what, "changed", true);
    this.startInheriting();
    this.attribute = this.attributeFor(capacity);
  }

  /** Copies what was written since the last call. @param slots by entity index; -1 for those without a slot. */
  copyChanged(slots: Int32Array, copied: (first: number, end: number) => void): void {
    if (this.inheriting !== undefined) {
      for (const entity of entities(this.inheriting)) {
        const slot = slots[indexOf(entity)] ?? -1;
        if (slot < 0) continue;
        this.copyOf(entity, slot);
        copied(slot, slot + 1);
      }
      return;
    }
    this.since = eachWritten(this.world, this.what, this.since, (archetype, begin, last) => {
      const columns = Object.values(columnsOf(archetype, this.what) as Readonly<Record<string, Numbers>>);
      const { i32 } = archetype.lanes;
      for (let row = begin; row < last; ) {
        const slot = slots[i32[row]!] ?? -1;
        const first = row++;
        if (slot < 0) continue;
        while (row < last && slots[i32[row]!] === slot + row - first) row++;
        this.copy(columns, first, row, slot);
        copied(slot, slot + row - first);
      }
    });
  }

  /** All values may be others. */
  restored(): void {
    this.since = -1;
    this.stopInheriting();
    this.startInheriting();
  }

  /** Copies the values of one entity. */
  copyOf(entity: Entity, slot: number): void {
    const value = get(this.world, entity, this.what) as Readonly<Record<string, number | Numbers>>;
    const columns = Object.values(value).map((one) => (typeof one === "object" ? one : [Number(one)]));
    this.copy(columns as Numbers[], 0, 1, slot);
  }

  /** Moves the values of one slot to another. */
  moveSlot(from: number, to: number): void {
    const { attribute, size } = this;
    (attribute.array as Float32Array).copyWithin(to * size, from * size, (from + 1) * size);
    this.note(to, to + 1);
  }

  grow(capacity: number): void {
    const { array } = this.attribute;
    this.attribute = this.attributeFor(capacity);
    (this.attribute.array as Float32Array).set(array);
    this.isWhole = true;
  }

  /** Has what changed sent to the graphics card with the next image. */
  send(count: number): void {
    const { attribute, size, ranges } = this;
    if (ranges.length === 0) return;
    this.waiting += (ranges.length / 2) * RANGE_COST;
    if (this.waiting > count * WHOLE_SHARE) this.isWhole = true;
    if (this.isWhole) attribute.clearUpdateRanges();
    else
      for (let at = 0; at < ranges.length; at += 2)
        attribute.addUpdateRange(ranges[at]! * size, (ranges[at + 1]! - ranges[at]!) * size);
    attribute.needsUpdate = true;
    this.ranges = [];
  }

  end(): void {
    keepTicks(this.world, this.what, "changed", false);
    this.stopInheriting();
  }

  /** The first use of a query finds all entities. */
  private startInheriting(): void {
    if (this.what.onInstantiate === "inherit")
      this.inheriting = query(this.world, this.what, changed(this.what));
  }

  private stopInheriting(): void {
    if (this.inheriting !== undefined) dispose(this.inheriting);
  }

  private attributeFor(capacity: number): InstancedBufferAttribute {
    const attribute = new InstancedBufferAttribute(new Float32Array(capacity * this.size), this.size);
    attribute.onUpload(() => {
      this.isWhole = false;
      this.waiting = 0;
    });
    return attribute;
  }

  private copy(columns: readonly Numbers[], row: number, end: number, slot: number): void {
    const { lengths, size } = this;
    const into = this.attribute.array as Float32Array;
    if (columns.length === 1 && columns[0] instanceof Float32Array)
      into.set(columns[0].subarray(row * size, end * size), slot * size);
    else {
      let at = slot * size;
      for (let one = row; one < end; one++)
        for (let field = 0; field < columns.length; field++)
          for (let part = 0; part < lengths[field]!; part++)
            into[at++] = columns[field]![one * lengths[field]! + part]!;
    }
    this.note(slot, slot + end - row);
  }

  private note(first: number, end: number): void {
    const { ranges } = this;
    this.waiting += end - first;
    if (ranges.length > 0 && ranges[ranges.length - 1] === first) ranges[ranges.length - 1] = end;
    else ranges.push(first, end);
  }
}
