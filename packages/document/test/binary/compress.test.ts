import { gunzipSync, gzipSync } from "node:zlib";
import { createWorld, spawn } from "@treeline/core";
import { Name } from "@treeline/names";
import { afterEach, describe, expect, it, vi } from "vitest";
import { compress, decompress, fromBinary, toBinary } from "../../src/binary.ts";
import { all, manifold } from "../support.ts";

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    ({ code }) => code,
  );
}

describe("compress and decompress", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("make a document smaller, and bring it back", async () => {
    const world = createWorld();
    for (let at = 0; at < 5000; at++) spawn(world, Name(`entity ${at}`));
    const bytes = toBinary(world, { all: true });

    const small = await compress(bytes);

    expect(small.length).toBeLessThan(bytes.length / 3);
    expect(Buffer.compare(await decompress(small), bytes)).toBe(0);
  });

  it("use gzip, which other programs know", async () => {
    const bytes = toBinary(manifold().world, { all: true });

    expect(new Uint8Array(gunzipSync(await compress(bytes)))).toEqual(bytes);
    fromBinary(createWorld(), await decompress(new Uint8Array(gzipSync(bytes))), { definitions: all });
  });

  it("bring back no bytes", async () => {
    expect(await decompress(await compress(new Uint8Array()))).toEqual(new Uint8Array());
  });

  it("stop at the limit, long before compressed zeros are inflated", async () => {
    const bomb = new Uint8Array(gzipSync(new Uint8Array(100_000_000)));
    const limits = { inflated: 1_000_000 };
    const before = process.memoryUsage().arrayBuffers;

    expect(await codeOf(decompress(bomb, { limits }))).toBe("bad-document");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
    expect(await codeOf(decompress(bomb, { limits: { bytes: bomb.length - 1 } }))).toBe("bad-document");
  });

  it("refuse bytes that are cut anywhere, changed or not compressed", async () => {
    const small = await compress(toBinary(manifold().world, { all: true }));

    for (let length = 0; length < small.length; length += 7)
      expect(await codeOf(decompress(small.slice(0, length)))).toBe("bad-document");
    for (let at = 10; at < small.length; at += 7) {
      const changed = small.slice();
      changed[at]! ^= 255;
      expect(await codeOf(decompress(changed))).toBe("bad-document");
    }
    expect(await codeOf(decompress(new Uint8Array([1, 2, 3])))).toBe("bad-document");
  });

  it("say what to do on a platform that cannot compress", async () => {
    vi.stubGlobal("CompressionStream", undefined);

    await expect(compress(new Uint8Array(1))).rejects.toMatchObject({
      code: "bad-value",
      message: expect.stringContaining("fflate"),
    });
  });
});
