import { describe, expect, it } from "vitest";
import { isEvent } from "../../src/id/event.ts";
import { Any, component, event, tag } from "../../src/index.ts";
import { codeOf } from "../reading.ts";

describe("event", () => {
  it("returns an event with its name, another one each time", () => {
    const Hit = event<{ amount: number }>("Hit");

    expect(Hit.name).toBe("Hit");
    expect(event("Hit")).not.toBe(Hit);
    expect(isEvent(Hit)).toBe(true);
  });

  it.each([undefined, null, 5, "Hit", {}, [], Any, tag("Frozen"), component("Label")])(
    "is not what %o is",
    (what) => {
      expect(isEvent(what)).toBe(false);
    },
  );

  it.each(["", undefined, 5, null])("refuses %o as a name: bad-definition", (name) => {
    expect(codeOf(() => event(name as string))).toBe("bad-definition");
  });
});
