import { ChildOf, createWorld, spawn, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { Name } from "@treeline/names";
import { describe, expect, it } from "vitest";
import { fromBinary, type LoadOptions, toBinary } from "../../src/binary.ts";
import { all, Link, Marked, manifold, Position, refused } from "../support.ts";
import { sealed } from "./sealed.ts";

function small(): World {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"), Position({ x: 1 }), Marked);
  spawn(world, Name("Gun"), ChildOf(ship), Link({ to: ship }));
  return world;
}

const bytes = toBinary(small(), { all: true });

function refusal(given: Uint8Array, options: LoadOptions = {}): [string, string | undefined] {
  const world = createWorld();
  spawn(world, Name("Here"));
  const { code, place } = refused(world, () => fromBinary(world, given, { definitions: all, ...options }));
  return [code, place];
}

/** What the bytes are with one number in place of another, and with the right length and checksum. */
function withWord(was: number, is: number): Uint8Array {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  for (let at = 20; at + 4 <= changed.length; at++) {
    if (view.getUint32(at, true) !== was) continue;
    view.setUint32(at, is, true);
    return sealed(changed);
  }
  throw new Error(`${was} is not in the document`);
}

describe("fromBinary refuses, and changes nothing,", () => {
  it("a document that is cut at any byte", () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(refusal(bytes.slice(0, length))).toEqual(["bad-document", expect.stringMatching(/^byte \d+$/)]);
    }
  });

  it("a document of which any byte is another one", () => {
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at]! ^= 0x10;
      expect(refusal(changed)[0]).toBe("bad-document");
    }
  });

  it("what is no document", () => {
    expect(refusal(new Uint8Array())).toEqual(["bad-document", "byte 0"]);
    expect(refusal("treeline" as never)).toEqual(["bad-document", ""]);
  });

  it("another version of the format", () => {
    const changed = bytes.slice();
    changed[8] = 2;

    expect(refusal(changed)).toEqual(["bad-document", "byte 8"]);
  });

  it("a parent that comes later, which is how a cycle is written", () => {
    expect(refusal(withWord(1, 2))[0]).toBe("bad-document"); // the parent of the second is itself
  });

  it("more bytes, entities, levels and characters than the limits", () => {
    expect(refusal(bytes, { limits: { bytes: bytes.length - 1 } })[0]).toBe("bad-document");
    expect(refusal(bytes, { limits: { entities: 1 } })[0]).toBe("bad-document");
    expect(refusal(bytes, { limits: { depth: 1 } })[0]).toBe("bad-document");
    expect(refusal(bytes, { limits: { text: 3 } })).toEqual(["bad-document", "entities[0].name"]);
  });

  it("a million entities in a few bytes", () => {
    const changed = bytes.slice();
    // No texts, then a count of 2 ** 21 - 1.
    changed.set([0, 0, 0, 0, 255, 255, 127], 20);

    expect(refusal(sealed(changed))).toEqual(["bad-document", "byte 27"]);
  });

  it("an entity that is in two rows, and so could have two parents", () => {
    const world = createWorld();
    spawn(world);
    spawn(world, Marked);
    spawn(world);
    const saved = toBinary(world, { all: true });
    const changed = saved.slice();
    // Of the first sheet: two rows, the places 0 and 2.
    const at = saved.findIndex(
      (_, place) => place > 40 && `${saved.subarray(place, place + 9)}` === "2,0,0,0,0,2,0,0,0",
    );
    changed[at + 5] = 1;

    expect(at).toBeGreaterThan(40);
    expect(refusal(sealed(changed))[0]).toBe("bad-document");
  });

  it("a number that is no entity of the document", () => {
    const world = createWorld();
    const ship = spawn(world);
    spawn(world, Link({ to: ship, weight: 0 }));
    const saved = toBinary(world, { all: true });
    const changed = saved.slice();
    // The column `to` is followed by the eight bytes of `weight`.
    const at = saved.findIndex(
      (byte, place) => place > 40 && byte === 1 && isZero(saved.subarray(place + 1)),
    );
    changed[at] = 3;

    expect(at).toBeGreaterThan(40);
    expect(refusal(sealed(changed))[0]).toBe("bad-document");
  });

  it("names that are not known", () => {
    expect(refusal(bytes, { definitions: [] })).toEqual(["bad-document", "entities[0].components.Position"]);
  });

  it("a name that is taken", () => {
    const world = createWorld();
    spawn(world, Name("Ship"));

    expect(refused(world, () => fromBinary(world, bytes, { definitions: all })).code).toBe("name-taken");
  });
});

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

it("reads a document wherever its bytes begin in their buffer", () => {
  const { world } = manifold();
  const whole = toBinary(world, { all: true });
  const moved = new Uint8Array(whole.length + 1);
  moved.set(whole, 1);
  const copy = createWorld();

  fromBinary(copy, moved.subarray(1), { definitions: all });

  expect(toBinary(copy, { all: true })).toEqual(whole);
});

it("refuses a document that is cut at any byte and has the right checksum, or makes a sound world of what is left", () => {
  for (let length = 20; length < bytes.length; length++) {
    const world = createWorld();
    let code = "";
    try {
      fromBinary(world, sealed(bytes.slice(0, length)), { definitions: all });
    } catch (error) {
      code = (error as { code: string }).code;
    }
    expect(verify(world)).toEqual([]);
    expect(["", "bad-document"]).toContain(code);
  }
});
