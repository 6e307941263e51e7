import { TreelineError } from "../base/error.ts";

/** A piece of memory that lanes lie in. */
export interface Block {
  /** Another one after `moved` was called. */
  buffer: ArrayBuffer;
  /** Byte offset in `buffer`; a multiple of 16. */
  readonly offset: number;
  readonly bytes: number;
  /** Called after `buffer` has been replaced: views must be made anew. */
  readonly moved: () => void;
}

/**
 * Where the columns of a world get their bytes. A block keeps its place and size until it is freed; its bytes are
 * not cleared. Nobody else creates typed arrays over columns.
 */
export interface Memory {
  readonly kind: string;
  /** Elements from one lane to the next for columns of `capacity` rows: at least as many, a multiple of 16. */
  readonly strideOf: (capacity: number) => number;
  readonly allocate: (bytes: number, moved: () => void) => Block;
  readonly free: (block: Block) => void;
}

const STRIDE_SLACK = 16;
const CACHE_PERIOD = 1024;

/**
 * Capacity plus 16, and never a power of two nor a multiple of the cache's period, in elements of four bytes. Lanes so far apart
 * share one set of a first-level cache: a cascade over 16 lanes takes twice as long then (see `docs/benchmarks/rows.md`).
 */
function shippedStride(capacity: number): number {
  const stride = capacity + STRIDE_SLACK;
  return stride % CACHE_PERIOD === 0 || Number.isInteger(Math.log2(stride)) ? stride + STRIDE_SLACK : stride;
}

/** Gives up a replaced buffer, so that stale views read nothing. Only in checked builds: detaching slows V8 down. */
function detach(buffer: ArrayBuffer): void {
  const { structuredClone } = globalThis as {
    structuredClone?: (value: unknown, options: { transfer: ArrayBuffer[] }) => unknown;
  };
  structuredClone?.(buffer, { transfer: [buffer] });
}

/** Plain `ArrayBuffer`s, one for each element width of an archetype. The default. */
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

/** The part of `WebAssembly` that is needed; the language's own library does not declare it. */
type WasmMemoryMaker = new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };

const PAGE = 65_536;
const BLOCK_ALIGNMENT = 16;

/**
 * One `WebAssembly.Memory`, so that SIMD code can work on columns without a copy. It never grows in place: when
 * it is full, everything moves to a memory of twice the size. `memory` is then another object. Each world takes one of its
 * own: if several shared it, visits of one would go on in the old memory when another one fills it, and lose their writes.
 *
 * @param options.bytes the size reserved at first; 1 MiB by default.
 * @throws TreelineError `capacity` when the engine has no WebAssembly.
 */
export function webAssemblyMemory(
  options: { readonly bytes?: number } = {},
): Memory & { readonly memory: object } {
  const { WebAssembly } = globalThis as { WebAssembly?: { Memory: WasmMemoryMaker } };
  if (WebAssembly === undefined)
    throw new TreelineError("capacity", "this JavaScript engine has no WebAssembly; use plainMemory()");
  const Maker = WebAssembly.Memory;
  const pagesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / PAGE));
  let pages = pagesOf(options.bytes ?? 16 * PAGE);
  let memory = new Maker({ initial: pages, maximum: pages });
  /** Ascending by offset. */
  const blocks: Block[] = [];

  /** @returns a block at the first gap that holds it. Cost: the blocks before. */
  function take(bytes: number, moved: () => void): Block | undefined {
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
    const had = pages;
    const old = new Uint8Array(memory.buffer);
    pages = Math.max(Math.min(had * 2, 65_536), had + pagesOf(bytes)); // all that 32-bit addresses reach
    try {
      memory = new Maker({ initial: pages, maximum: pages });
    } catch {
      pages = had;
      throw new TreelineError("capacity", `a WebAssembly memory cannot grow beyond ${had * PAGE} bytes here`);
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
      const block = take(bytes, moved);
      if (block !== undefined) return block;
      moveToLarger(bytes);
      return take(bytes, moved)!;
    },
    free: (block) => {
      blocks.splice(blocks.indexOf(block), 1);
    },
  };
}
