import type { Definition, World } from "@treeline/core";
import { keepTicks, type Track } from "@treeline/core/internal";

/** Brought by visits with row views: those that are in use mark what they write, if anybody asks for it now. */
export const views: { turnMarks: ((world: World) => void) | undefined } = { turnMarks: undefined };

/** From now on the world keeps ticks of a kind, and visits that are running mark what they write; or one use of them ends. */
export function track(world: World, definition: Definition, kind: Track["kind"], isOn: boolean): void {
  keepTicks(world, definition, kind, isOn);
  views.turnMarks?.(world);
}

const BY_INDEX = ["entities", "sources", "rounds", "switched"] as const;

/** Who was whose nearest ancestor along one way, when somebody last looked for those who are others now. */
export class SourceNotes {
  /** By entity index: the entity and its holder, as handles; the round in which that was noted; the tick of the last change. */
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

  /** @returns whether the entity had another holder, or none, in the last round. */
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

  /** The tick at which an entity got its holder; later than all if the last round noted another one. */
  switchedAt(index: number, entity: number, source: number, round: number): number {
    return this.isNoted(index, entity, source, round) ? this.switched[index]! : Number.POSITIVE_INFINITY;
  }
}

/** For a query that asks for changes of ancestors: who was whose nearest one. */
export class Watch {
  /** By what is watched. */
  readonly notes: SourceNotes[] = [];
  /** The version of the batches that was noted last, how often notes were taken, and the tick of the last time. */
  version = -1;
  round = 0;
  steadySince = 0;
  /** A visit that looks is listing its answers; all others only peek, and leave the notes as they are. */
  isReading = false;
}
