import { describe, expect, it } from "vitest";
import { rules } from "../../src/step/vocabulary.ts";
import { freeName } from "../../src/twin/collisions.ts";
import { findNaively } from "../../src/twin/find.ts";
import { lookupNaively, pathOfNaively } from "../../src/twin/lookup.ts";
import { escapeNaively, parsePath } from "../../src/twin/paths.ts";
import type { NaiveTerm, NameRules, Twin } from "../../src/twin/rules.ts";
import * as verbs from "../../src/twin/verbs.ts";
import type { NaiveWorld } from "../../src/twin/world.ts";
import { createNaiveWorld, nameOf } from "../../src/twin/world.ts";

function world(collisions: NameRules["collisions"]): NaiveWorld {
  return createNaiveWorld(rules, false, { collisions, separator: "::", search: [] });
}

function named(value: string, parent?: Twin): NaiveTerm[] {
  const name = { what: "Name", value };
  return parent === undefined ? [name] : [name, { what: "ChildOf", target: parent }];
}

function found(naive: NaiveWorld, path: string): Twin | undefined {
  const result = lookupNaively(naive, path);
  return typeof result === "string" ? undefined : result.twin;
}

describe("free names", () => {
  it("continue from a number, and are found at growing and then halved distances", () => {
    const tried: string[] = [];
    const taken = new Set(["a", "a (2)", "a (3)", "a (4)", "a (6)"]);
    const isTaken = (name: string): boolean => {
      tried.push(name);
      return taken.has(name);
    };

    expect(freeName("b", isTaken)).toBe("b");
    expect(freeName("a (6)", isTaken)).toBe("a (7)");
    tried.length = 0;
    expect(freeName("a", isTaken)).toBe("a (7)");
    expect(tried).toEqual(["a", ...[2, 3, 4, 6, 10, 8, 7].map((number) => `a (${number})`)]);
  });

  it("ignore a number that begins with a zero, has ten digits, or has nothing before it", () => {
    const isTaken = (name: string): boolean => ["a (02)", " (2)", "a (1234567890)"].includes(name);

    expect(freeName("a (02)", isTaken)).toBe("a (02) (2)");
    expect(freeName(" (2)", isTaken)).toBe(" (2) (2)");
    expect(freeName("a (1234567890)", isTaken)).toBe("a (1234567890) (2)");
  });
});

describe("an entity with a taken name in the naive twin", () => {
  it("is refused, numbered, or found after the first, according to the policy", () => {
    const [error, suffix, allow] = [world("error"), world("suffix"), world("allow")];
    const codes = [error, suffix, allow].map((naive) => verbs.spawn(naive, [1, 2, 3], named("a")));
    expect(codes).toEqual(["name-taken", undefined, undefined]);
    expect([1, 2, 3].map((twin) => nameOf(suffix, twin))).toEqual(["a", "a (2)", "a (3)"]);

    expect(found(allow, "a")).toBe(1);
    verbs.set(allow, 1, { what: "Name", value: "a" });
    expect(found(allow, "a")).toBe(1);
    verbs.set(allow, 1, { what: "Name", value: "b" });
    verbs.set(allow, 1, { what: "Name", value: "a" });
    expect(found(allow, "a")).toBe(2);
  });

  it("keeps its number while an entity has the plain name, and yields to an alias", () => {
    const naive = world("suffix");
    verbs.spawn(naive, [1, 2], named("a"));
    verbs.set(naive, 2, { what: "Name", value: "a" });
    verbs.spawn(naive, [3], [...named("b", 1), { what: "Alias", value: "c" }]);
    verbs.spawn(naive, [4], named("c"));

    expect([2, 4].map((twin) => nameOf(naive, twin))).toEqual(["a (2)", "c (2)"]);
    expect(verbs.set(naive, 3, { what: "Alias", value: "a" })).toBe("name-taken");
    expect(found(naive, "c")).toBe(3);
  });
});

describe("paths of the naive twin", () => {
  it("are parsed as they were written, whatever the separator", () => {
    expect(["a::b", ":x", "x:", "x:y", "#1", "\\"].map((name) => escapeNaively(name, "::"))).toEqual([
      "a\\:\\:b",
      "\\:x",
      "x\\:",
      "x:y",
      "\\#1",
      "\\\\",
    ]);
    for (const separator of ["::", ".", "->", "ab", "aba", "aa"]) {
      for (const name of ["a", "b", "ba", "aab", "->", ":", "a.b", "\\", "#2", "a\\a"]) {
        const step = escapeNaively(name, separator);
        const parsed = parsePath(["x", step, "y"].join(separator), separator);
        expect(parsed).toMatchObject({ steps: [{ name: "x" }, { name }, { name: "y" }] });
      }
    }
    expect(["::", "a::", "::::a", "a\\"].map((path) => parsePath(path, "::"))).toEqual(
      Array.from({ length: 4 }, () => "bad-path"),
    );
  });

  it("are found by patterns in the order of the tree, each once", () => {
    const naive = world("error");
    verbs.spawn(naive, [1], named("Fleet"));
    verbs.spawn(naive, [2], named("Ship 1", 1));
    verbs.spawn(naive, [3], [{ what: "ChildOf", target: 1 }]);
    verbs.spawn(naive, [4], named("Gun", 2));
    verbs.spawn(naive, [5], named("Gun", 3));

    const patterns = ["Fleet::*::Gun", "**::Gun", "Fleet::?hip*", "**::**", "Fleet::#3::G?n", "Fl\\*"];
    expect(patterns.map((pattern) => findNaively(naive, pattern))).toEqual([
      [4, 5],
      [4, 5],
      [2],
      [1, 2, 4, 3, 5],
      [5],
      [],
    ]);
    expect(pathOfNaively(naive, 5, { from: 1 })).toEqual({ path: "#3::Gun" });
    expect(pathOfNaively(naive, 5, { from: 2 })).toEqual({ path: "::Fleet::#3::Gun" });
  });
});
