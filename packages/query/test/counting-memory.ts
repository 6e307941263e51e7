import { type Memory, plainMemory } from "@treeline/core";

/** A memory that counts its allocations. */
export interface CountingMemory extends Memory {
  allocations: number;
  /** Bytes of all blocks that were not freed. */
  bytes: number;
}

export function countingMemory(): CountingMemory {
  const memory = plainMemory();
  const counted: CountingMemory = {
    kind: memory.kind,
    strideOf: memory.strideOf,
    allocations: 0,
    bytes: 0,
    allocate: (bytes, moved) => {
      const block = memory.allocate(bytes, moved);
      counted.allocations++;
      counted.bytes += block.bytes;
      return block;
    },
    free: (block) => {
      counted.bytes -= block.bytes;
      memory.free(block);
    },
  };
  return counted;
}
