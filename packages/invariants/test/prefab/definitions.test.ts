import { bits, component, relation, sparse, TreelineError, tag } from "@treeline/core";
import { expect, it } from "vitest";

const inherit = "inherit" as const;

/** What a definition is refused with. */
function codeOf(define: () => unknown): string {
  try {
    define();
    return "none";
  } catch (error) {
    return error instanceof TreelineError ? error.code : String(error);
  }
}

it("refuses to define a component or tag that is inherited and stored apart from tables", () => {
  const refused = [
    () => component("Ammo", { rounds: 10 }, { storage: sparse, onInstantiate: inherit }),
    () => component<string>("Title", undefined, { storage: sparse, onInstantiate: inherit }),
    () => tag("Glow", { storage: bits, onInstantiate: inherit }),
    () => tag("Hot", { storage: sparse, onInstantiate: inherit }),
    () => component("Empty", {}, { storage: bits, onInstantiate: inherit }),
    () => relation("Near", { onInstantiate: inherit as never }),
    () => relation("Wire", { storage: sparse, onInstantiate: inherit as never }),
  ];
  expect(refused.map(codeOf)).toEqual(refused.map(() => "bad-definition"));
});

it("defines a component or tag that is inherited in a table, and one that is copied or skipped in any storage", () => {
  const accepted = [
    () => component("Ammo", { rounds: 10 }, { onInstantiate: inherit }),
    () => tag("Glow", { onInstantiate: inherit, storage: undefined as never }),
    () => component("Fuel", { litres: 0 }, { storage: sparse, onInstantiate: "copy" }),
    () => tag("Draft", { storage: bits, onInstantiate: "skip" }),
    () => relation("Near", { storage: sparse, onInstantiate: "skip" }),
  ];
  expect(accepted.map(codeOf)).toEqual(accepted.map(() => "none"));
});
