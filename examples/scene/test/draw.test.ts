import { describe, expect, it } from "vitest";
import { type DrawOptions, drawTrees } from "../src/program/draw.ts";

interface Branch {
  readonly name: string;
  readonly below: readonly Branch[];
}

const branch = (name: string, ...below: Branch[]): Branch => ({ name, below });
const leaves = (count: number): Branch[] =>
  Array.from({ length: count }, (_, at) => branch(`leaf ${at + 1}`));
const countBelow = (item: Branch): number => item.below.reduce((sum, each) => sum + 1 + countBelow(each), 0);

function draw(roots: readonly Branch[], options: Partial<DrawOptions> = {}): string[] {
  const source = {
    childrenOf: (item: Branch) => item.below,
    nameOf: (item: Branch) => item.name,
    countBelow,
  };
  return drawTrees(roots, source, { depth: 9, width: 80, siblings: 6, ...options });
}

describe("a drawing", () => {
  it("shows parents above their children, one line each", () => {
    expect(
      draw([branch("Ship", branch("Cockpit", branch("Seat")), branch("Engine")), branch("Buoy")]),
    ).toEqual(["├─ Ship", "│  ├─ Cockpit", "│  │  └─ Seat", "│  └─ Engine", "└─ Buoy"]);
  });

  it("of nothing is empty", () => {
    expect(draw([])).toEqual([]);
  });

  it("shows up to seven siblings, and of more than seven the first six", () => {
    expect(draw(leaves(7)).at(-1)).toBe("└─ leaf 7");
    expect(draw(leaves(1_258)).slice(5)).toEqual(["├─ leaf 6", "└─ … 1,252 more"]);
  });

  it("counts what is deeper than the given depth", () => {
    expect(draw([branch("Ship", branch("Cockpit", branch("Seat")), branch("Engine"))], { depth: 1 })).toEqual(
      ["└─ Ship … 3 below"],
    );
    expect(draw([branch("Ship", branch("Cockpit", branch("Seat")), branch("Engine"))], { depth: 2 })).toEqual(
      ["└─ Ship", "   ├─ Cockpit … 1 below", "   └─ Engine"],
    );
  });

  it("stays within its width at every depth", () => {
    let deep = branch("a name that is much too long for its line");
    for (let level = 0; level < 60; level++) deep = branch("a name that is much too long for its line", deep);

    const lines = draw([deep], { depth: 1_000, width: 40 });

    expect(lines[0]).toBe("└─ a name that is much too long for its…");
    expect(lines.at(-1)).toBe("            └─ a name that i… … 56 below");
    expect(Math.max(...lines.map((line) => line.length))).toBe(40);
  });

  it("keeps odd names on one line", () => {
    expect(draw([branch("two\nlines\u001b[2J")])).toEqual(["└─ two\\nlines\\u{1b}[2J"]);
  });
});
