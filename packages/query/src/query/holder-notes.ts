/** Who was whose nearest ancestor along one way, when somebody last looked for those who are others now. */
export class HolderNotes {
  /** By entity index: the entity, and its source, as handles; the round in which that was noted; the tick of the last change. */
  entities: Float64Array<ArrayBuffer> = new Float64Array(0);
  sources: Float64Array<ArrayBuffer> = new Float64Array(0);
  rounds: Int32Array<ArrayBuffer> = new Int32Array(0);
  switched: Float64Array<ArrayBuffer> = new Float64Array(0);

  fit(length: number): void {
    if (this.entities.length >= length) return;
    const room = Math.max(64, length + (length >> 1));
    this.entities = longer(this.entities, room);
    this.sources = longer(this.sources, room);
    this.switched = longer(this.switched, room);
    const rounds = new Int32Array(room);
    rounds.set(this.rounds);
    this.rounds = rounds;
  }

  /** @returns whether the entity had another source, or none, in the last round. */
  note(index: number, entity: number, source: number, round: number): boolean {
    const isSame =
      this.entities[index] === entity && this.sources[index] === source && this.rounds[index] === round - 1;
    this.entities[index] = entity;
    this.sources[index] = source;
    this.rounds[index] = round;
    return !isSame;
  }
}

function longer(list: Float64Array, room: number): Float64Array<ArrayBuffer> {
  const found = new Float64Array(room);
  found.set(list);
  return found;
}
