import { type Memory, plainMemory, TreelineError } from "../../../src/index.ts";

/** A memory that refuses requests on demand. */
export interface RefusingMemory extends Memory {
  /** Requests since the last `refuse` or `grant`. */
  requests: number;
  /** Refuses the request with this number from now on, counted from 1; only that one, or all from it on. */
  readonly refuse: (request: number, isAlone: boolean) => void;
  readonly grant: () => void;
}

export function refusing(memory: Memory = plainMemory()): RefusingMemory {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.POSITIVE_INFINITY;
  const refused: RefusingMemory = {
    kind: memory.kind,
    strideOf: memory.strideOf,
    requests: 0,
    refuse: (request, isAlone) => {
      refused.requests = 0;
      first = request;
      last = isAlone ? request : Number.POSITIVE_INFINITY;
    },
    grant: () => {
      refused.requests = 0;
      first = Number.POSITIVE_INFINITY;
    },
    allocate: (bytes, moved) => {
      const request = ++refused.requests;
      if (request >= first && request <= last) throw new TreelineError("capacity", "no more blocks");
      return memory.allocate(bytes, moved);
    },
    free: memory.free,
  };
  return refused;
}
