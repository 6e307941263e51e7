import { type Memory, plainMemory, webAssemblyMemory } from "../../../src/index.ts";

/** Both kinds of memory for columns; every storage test runs on each. */
export const memories: readonly (readonly [kind: string, create: () => Memory])[] = [
  ["plain", plainMemory],
  ["WebAssembly", () => webAssemblyMemory({ bytes: 65_536 })],
];

/** A memory that counts its requests. */
export interface CountingMemory extends Memory {
  allocations: number;
  frees: number;
  /** Bytes of all blocks that were not freed. */
  bytes: number;
}

export function counting(memory: Memory): CountingMemory {
  const counted: CountingMemory = {
    kind: memory.kind,
    strideOf: memory.strideOf,
    allocations: 0,
    frees: 0,
    bytes: 0,
    allocate: (bytes, moved) => {
      const block = memory.allocate(bytes, moved);
      counted.allocations++;
      counted.bytes += block.bytes;
      return block;
    },
    free: (block) => {
      counted.frees++;
      counted.bytes -= block.bytes;
      memory.free(block);
    },
  };
  return counted;
}
