import { describe, expect, it } from "vitest";
import { nextNumber } from "../../../src/id/definition.ts";
import { createWorld, type World } from "../../../src/index.ts";
import { stateOf } from "../../../src/world/state/world.ts";

describe("the state of an upper room", () => {
  it("is made once for each world, when first asked for", () => {
    const [one, other] = [createWorld(), createWorld()];
    const number = nextNumber();
    let made = 0;
    const create = (world: World) => ({ world, made: ++made });

    const states = [
      stateOf(one, number, create),
      stateOf(other, number, create),
      stateOf(one, number, create),
    ];

    expect(states.map((state) => [state.world === one, state.made])).toEqual([
      [true, 1],
      [false, 2],
      [true, 1],
    ]);
  });
});
