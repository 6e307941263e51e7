// Starts and ends ticks for a query (`track`); which source each entity had at the last read (`SourceNotes`, `Watch`).
import type { Definition, World } from "@treeline/core";
import { keepTicks, type Track } from "@treeline/core/internal";

/** Installed by iterations with row views: views in use then mark what they write, if a query for changes needs it. */
export const views: { turnMarks: ((world: World) => void) | undefined } = { turnMarks: undefined };

/** Begins or ends one use of ticks of a kind, which the world keeps meanwhile; running iterations mark what they write. */
export function track(world: World, definition: Definition, kind: Track["kind"], isOn: boolean): void {
  keepTicks(world, definition, kind, isOn);
  views.turnMarks?.(world);
}

const BY_INDEX = ["entities", "sources", "rounds", "switched"] as const;

/** The source of each entity along one path, as of the last read of changes: to find entities whose source is another one now. */
export class SourceNotes {
  /** By entity index: the entity and its source, as handles; the round in which that was noted; the tick of the last change. */
  entities: Float64Array<ArrayBuffer> = new Float64Array(0);
  sources: Float64Array<ArrayBuffer> = new Float64Array(0);
  rounds: Float64Array<ArrayBuffer> = new Float64Array(0);
  switched: Float64Array<ArrayBuffer> = new Float64Array(0);

  fit(length: number): void {
    if (this.entities.length >= length) return;
    for (const list of BY_INDEX) {
      const former = this[list];
      this[list] = new Float64Array(Math.max(64, length + (length >> 1)));
      this[list].set(former);
    }
  }

  /** @returns whether the entity had another source, or none, in the last round. */
  note(index: number, entity: number, source: number, round: number): boolean {
    const isSame = this.isNoted(index, entity, source, round - 1);
    this.entities[index] = entity;
    this.sources[index] = source;
    this.rounds[index] = round;
    return !isSame;
  }

  private isNoted(index: number, entity: number, source: number, round: number): boolean {
    return this.entities[index] === entity && this.sources[index] === source && this.rounds[index] === round;
  }

  /** The tick at which an entity got its source; later than all if the last round noted another one. */
  switchedAt(index: number, entity: number, source: number, round: number): number {
    return this.isNoted(index, entity, source, round) ? this.switched[index]! : Number.POSITIVE_INFINITY;
  }
}

/** The state of a query for changes of ancestors: which entity had which source. */
export class Watch {
  /** Kept by core: the disabled entities, whose changes stay unread. */
  declare disabled?: never;
  /** By watched term. */
  readonly notes: SourceNotes[] = [];
  /** The version of the batches that was noted last, the number of rounds, and the tick of the last one. */
  version = -1;
  round = 0;
  steadySince = 0;
  /** An iteration that reads changes is listing its matches; all others read without marking, and leave the notes as they are. */
  isReading = false;
}
