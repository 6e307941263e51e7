// Where bytes come from (`plainMemory`, `webAssemblyMemory`), the stride of lanes (`shippedStride`); throws `capacity` if memory cannot grow.
import { TreelineError } from "../base/error.ts";
import { requireOptions } from "../base/options.ts";

/** A range of memory that stores lanes. */
export interface Block {
  /** Replaced before each call of `moved`. */
  buffer: ArrayBuffer;
  /** Byte offset in `buffer`; a multiple of 16. */
  readonly offset: number;
  readonly bytes: number;
  /** Called after `buffer` has been replaced: views must be created again. */
  readonly moved: () => void;
}

/**
 * Allocates the columns of a world. A block keeps its offset and size until it is freed; its bytes are not cleared. Only Treeline
 * creates typed arrays over columns.
 */
export interface Memory {
  readonly kind: string;
  /** Elements from one lane to the next for columns of `capacity` rows: at least `capacity`, a multiple of 16. */
  readonly strideOf: (capacity: number) => number;
  readonly allocate: (bytes: number, moved: () => void) => Block;
  readonly free: (block: Block) => void;
  /** Gives everything back, after all blocks have been freed: called by `disposeWorld`. */
  readonly close?: () => void;
}

const STRIDE_SLACK = 16;
const CACHE_PERIOD = 1024;

/**
 * Capacity plus 16, but never a power of two or a multiple of the cache's period, in elements of four bytes. At such distances
 * lanes share one set of the first-level cache, and a cascade over 16 lanes takes twice as long (see `docs/benchmarks/rows.json`).
 */
function shippedStride(capacity: number): number {
  const stride = capacity + STRIDE_SLACK;
  return stride % CACHE_PERIOD === 0 || Number.isInteger(Math.log2(stride)) ? stride + STRIDE_SLACK : stride;
}

/** Detaches a replaced buffer, so that stale views read nothing. Only in checked builds: detaching slows V8 down. */
function detach(buffer: ArrayBuffer): void {
  const { structuredClone } = globalThis as {
    structuredClone?: (value: unknown, options: { transfer: ArrayBuffer[] }) => unknown;
  };
  structuredClone?.(buffer, { transfer: [buffer] });
}

/** Plain `ArrayBuffer`s, one for each element width of an archetype. This is the default. */
export function plainMemory(): Memory {
  return {
    kind: "plain",
    strideOf: shippedStride,
    allocate: (bytes, moved) => ({ buffer: new ArrayBuffer(bytes), offset: 0, bytes, moved }),
    free: (block) => {
      CHECK: detach(block.buffer);
    },
  };
}

/** The part of `WebAssembly` that is used here; the TypeScript libraries in use do not declare it. */
type WasmMemoryMaker = new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };

const PAGE = 65_536;
const BLOCK_ALIGNMENT = 16;

/**
 * One `WebAssembly.Memory`, so that SIMD code can work on columns without a copy. It never grows in place: when it is full,
 * everything moves to a memory of twice the size, and `memory` is then another object. Each world needs its own: if worlds shared
 * one, iterations of one world would continue in the old memory after another world fills it, and lose their writes.
 *
 * @param options.bytes the initial size; 1 MiB by default.
 * @throws TreelineError `capacity` if the engine has no WebAssembly.
 */
export function webAssemblyMemory(
  options: { readonly bytes?: number | undefined } = {},
): Memory & { readonly memory: object } {
  CHECK: requireOptions("webAssemblyMemory", options, ["bytes"]);
  const { WebAssembly } = globalThis as { WebAssembly?: { Memory: WasmMemoryMaker } };
  if (WebAssembly === undefined)
    throw new TreelineError("capacity", "this JavaScript engine has no WebAssembly; use plainMemory()");
  const Maker = WebAssembly.Memory;
  const pagesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / PAGE));
  let pages = pagesOf(options.bytes ?? 16 * PAGE);
  let memory = new Maker({ initial: pages, maximum: pages });
  /** Ascending by offset. */
  const blocks: Block[] = [];

  /**
   * @returns a block in the first gap that is large enough.
   *
   * @cost the blocks before it.
   */
  function allocateBlock(bytes: number, moved: () => void): Block | undefined {
    let offset = 0;
    for (let place = 0; place <= blocks.length; place++) {
      const next = blocks[place];
      if ((next?.offset ?? pages * PAGE) - offset >= bytes) {
        const block: Block = { buffer: memory.buffer, offset, bytes, moved };
        blocks.splice(place, 0, block);
        return block;
      }
      if (next !== undefined) offset = next.offset + next.bytes;
    }
    return undefined;
  }

  function moveToLarger(bytes: number): void {
    const oldPages = pages;
    const old = new Uint8Array(memory.buffer);
    pages = Math.max(Math.min(oldPages * 2, 65_536), oldPages + pagesOf(bytes)); // the limit of 32-bit addresses
    try {
      memory = new Maker({ initial: pages, maximum: pages });
    } catch {
      pages = oldPages;
      throw new TreelineError(
        "capacity",
        `the WebAssembly memory cannot grow beyond ${oldPages * PAGE} bytes`,
      );
    }
    new Uint8Array(memory.buffer).set(old);
    for (const block of blocks) {
      block.buffer = memory.buffer;
      block.moved();
    }
  }

  return {
    kind: "wasm",
    strideOf: shippedStride,
    get memory() {
      return memory;
    },
    allocate: (wanted, moved) => {
      const bytes = Math.ceil(wanted / BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT;
      const block = allocateBlock(bytes, moved);
      if (block !== undefined) return block;
      moveToLarger(bytes);
      return allocateBlock(bytes, moved)!;
    },
    free: (block) => {
      blocks.splice(blocks.indexOf(block), 1);
    },
    close: () => {
      pages = 1;
      memory = new Maker({ initial: 1, maximum: 1 });
    },
  };
}
