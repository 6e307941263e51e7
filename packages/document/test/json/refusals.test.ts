import {
  component,
  createWorld,
  defer,
  f64,
  relation,
  spawn,
  TreelineError,
  withHooks,
} from "@treeline/core";
import { configureNames, lookup, Name } from "@treeline/names";
import { describe, expect, it } from "vitest";
import type { DocumentData } from "../../src/index.ts";
import { fromDocument, type LoadOptions, toDocument, writeJson } from "../../src/json.ts";
import { all, Likes, Link, Notes, refused, save } from "../support.ts";

function textOf(entities: string, versions = "{}", form = "nested"): string {
  return `{"format":"treeline","version":1,"form":"${form}","versions":${versions},"entities":${entities}}`;
}

function refusal(text: string, options: LoadOptions = {}): [string, string | undefined] {
  const world = createWorld();
  spawn(world, Name("Here"));
  const { code, place } = refused(world, () => fromDocument(world, text, { definitions: all, ...options }));
  return [code, place];
}

function load(entities: string, options?: LoadOptions): [string, string | undefined] {
  return refusal(textOf(entities), options);
}

describe("fromDocument refuses, and changes nothing,", () => {
  it.each([
    ["text that ends early", textOf("[{}]").slice(0, -3), ""],
    ["text that is no JSON", "tree", ""],
    ["JSON that is no object", "[]", ""],
    ["another format", '{"format":"other"}', "format"],
    ["another version of the format", '{"format":"treeline","version":2}', "version"],
    ["a form that there is not", '{"format":"treeline","version":1,"form":"x"}', "form"],
    ["a version that is no number", textOf("[]", '{"Position":"1"}'), "versions.Position"],
    ["members that there are not", textOf("[]").replace('"form"', '"extra":1,"form"'), "extra"],
    ["entities that are no list", textOf("{}"), "entities"],
  ])("%s", (_, text, place) => {
    expect(refusal(text)).toEqual(["bad-document", place]);
  });

  it.each([
    ["what is no entity", "[null]", "entities[0]"],
    ["an unknown member", '[{"nam":"A"}]', "entities[0]"],
    ["a member named __proto__", '[{"__proto__":{"name":"A"}}]', "entities[0]"],
    ["a name that is no text", '[{"children":[{},{"name":1}]}]', "entities[0].children[1].name"],
    [
      "a NaN in place of a number",
      '[{"components":{"Position":{"x":null}}}]',
      "entities[0].components.Position.x",
    ],
    [
      "a number that does not fit",
      '[{"components":{"Stats":{"small":256}}}]',
      "entities[0].components.Stats.small",
    ],
    [
      "a list of another length",
      '[{"components":{"Stats":{"list":[1]}}}]',
      "entities[0].components.Stats.list",
    ],
    [
      "a NaN where an entity is due",
      '[{"components":{"Link":{"to":"NaN"}}}]',
      "entities[0].components.Link.to",
    ],
    [
      "a number where an entity is due",
      '[{"components":{"Link":{"to":1}}}]',
      "entities[0].components.Link.to",
    ],
    [
      "an id that no entity has",
      '[{"components":{"Link":{"to":{"$entity":7}}}}]',
      "entities[0].components.Link.to",
    ],
    ["a path that leads nowhere", '[{"pairs":{"Likes":[{"$path":["A"]}]}}]', "entities[0].pairs.Likes[0]"],
    [
      "an outside entity without resolve",
      '[{"pairs":{"Likes":[{"$outside":1}]}}]',
      "entities[0].pairs.Likes[0]",
    ],
    ["two entities with one id", '[{"id":1},{"id":1}]', "entities[1]"],
    [
      "two targets of an exclusive relation",
      '[{"id":1,"pairs":{"Docked":[{"$entity":1},{"$entity":1}]}}]',
      "entities[0].pairs.Docked",
    ],
    [
      "a parent among the pairs",
      '[{"id":1},{"pairs":{"ChildOf":[{"$entity":1}]}}]',
      "entities[1].pairs.ChildOf",
    ],
    ["an unknown component", '[{"components":{"Nope":{}}}]', "entities[0].components.Nope"],
    ["an unknown field", '[{"components":{"Position":{"z":1}}}]', "entities[0].components.Position.z"],
    ["an unknown tag", '[{"tags":["Nope"]}]', "entities[0].tags[0]"],
    ["a tag twice", '[{"tags":["Marked","Marked"]}]', "entities[0].tags[1]"],
    ["a component among the tags", '[{"tags":["Position"]}]', "entities[0].tags[0]"],
    [
      "a component named as an object's own method",
      '[{"components":{"constructor":{}}}]',
      "entities[0].components.constructor",
    ],
    ["a parent in the nested form", '[{"id":1},{"parent":1}]', "entities[1]"],
    ["a mark that there is not", '[{"components":{"Notes":{"$x":1}}}]', "entities[0].components.Notes"],
  ])("%s", (_, entities, place) => {
    expect(load(entities)).toEqual(["bad-document", place]);
  });

  it.each([
    ["a parent that comes later", '[{"parent":1},{"id":1}]', "entities[0]"],
    ["a parent that is the entity itself", '[{"id":1,"parent":1}]', "entities[0]"],
    ["children", '[{"children":[]}]', "entities[0]"],
  ])("in the flat form, %s", (_, entities, place) => {
    expect(refusal(textOf(entities, "{}", "flat"))).toEqual(["bad-document", place]);
  });

  it("cycles of a relation that has none, at the entity that closes one", () => {
    const ring = '[{"id":1,"pairs":{"Needs":[{"$entity":2}]}},{"id":2,"pairs":{"Needs":[{"$entity":1}]}},{}]';

    expect(load(ring)).toEqual(["cycle", "entities[1]"]);
    expect(load('[{"id":1,"pairs":{"Needs":[{"$entity":1}]}}]')).toEqual(["cycle", "entities[0]"]);
  });

  it.each([
    ["siblings of one name", '[{"name":"A"},{},{"name":"A"}]', "entities[2]"],
    ["children of one name", '[{"children":[{"name":"A"},{"name":"A"}]},{}]', "entities[0].children[1]"],
    ["a name that a root of the world has", '[{},{"name":"Here"}]', "entities[1]"],
    ["a root with the name of an alias", '[{"components":{"Alias":"A"}},{"name":"A"},{}]', "entities[1]"],
    ["an alias that is the name of a root", '[{"name":"A"},{"components":{"Alias":"A"}},{}]', "entities[1]"],
    [
      "one alias of two entities",
      '[{"components":{"Alias":"A"}},{"components":{"Alias":"A"}}]',
      "entities[1]",
    ],
    ["an alias that a root of the world has as its name", '[{"components":{"Alias":"Here"}}]', "entities[0]"],
  ])("%s", (_, entities, place) => {
    expect(load(entities)).toEqual(["name-taken", place]);
  });

  it("an empty name", () => {
    expect(load('[{},{"name":""}]')).toEqual(["bad-name", "entities[1]"]);
  });

  it("what a hook refuses, and says why", () => {
    const Odd = withHooks(component("Odd", { count: f64 }), {
      check: (_world, _entity, { count }) => {
        if (count % 2 === 0) throw new TreelineError("refused", `${count} is even`);
      },
    });
    const text = textOf(`[{"components":{"Odd":{"count":1}}},{"components":{"Odd":{"count":2}}}]`);
    const world = createWorld();

    const error = refused(world, () => fromDocument(world, text, { definitions: [Odd] }));

    expect(error).toMatchObject({
      code: "refused",
      place: "entities",
      message: "entities: 2 is even",
      cause: { message: "2 is even" },
    });
  });

  it("a subject more than a target takes, and a pair that an entity has twice", () => {
    const SitsIn = relation("SitsIn", { maxSubjects: 1 });
    const definitions = [SitsIn, Likes];
    const full = '[{"id":1},{"pairs":{"SitsIn":[{"$entity":1}]}},{},{"pairs":{"SitsIn":[{"$entity":1}]}}]';
    const twice = '[{"id":1},{"pairs":{"Likes":[{"$entity":1},{"$entity":1}]}},{}]';

    expect(load(full, { definitions })).toEqual(["full", "entities[3]"]);
    expect(load(twice, { definitions })).toEqual(["bad-term", "entities[1]"]);
  });

  it("an object that is in the document twice, which would have two parents", () => {
    const world = createWorld();
    const shared = { name: "A" };
    const document = JSON.parse(textOf("[{},{}]")) as DocumentData;
    for (const one of document.entities) one.children = [shared];

    const { place } = refused(world, () => fromDocument(world, document));

    expect(place).toBe("entities[1].children[0]");
  });

  it("an entity that is inside itself", () => {
    const world = createWorld();
    const document = JSON.parse(textOf("[{}]")) as DocumentData;
    document.entities[0]!.children = [document.entities[0]!];

    expect(refused(world, () => fromDocument(world, document)).code).toBe("bad-document");
  });

  it.each([
    ["bytes", { bytes: 10 }, ""],
    ["entities", { entities: 2 }, "entities[1]"],
    ["depth", { depth: 1 }, "entities[0].children[0]"],
    ["text", { text: 3 }, "entities[1].name"],
  ])("a document over the limit of %s", (_, limits, place) => {
    expect(load('[{"children":[{"name":"a"}]},{"name":"long"}]', { limits })).toEqual([
      "bad-document",
      place,
    ]);
  });

  it("a text over the limit of a text, if no limits are given", () => {
    const most = "n".repeat(1_000_000);

    expect(load(`[{"name":"${most}n"}]`)).toEqual(["bad-document", "entities[0].name"]);
    const world = createWorld();
    expect(fromDocument(world, textOf(`[{"name":"${most}"}]`))).toEqual([lookup(world, most)]);
  });

  it("a tree of 300,000 levels, and a value of as many", () => {
    const tree = `${'{"children":['.repeat(300_000)}${"]}".repeat(300_000)}`;
    const value = `[{"components":{"Notes":${"[".repeat(300_000)}${"]".repeat(300_000)}}}]`;

    expect(load(`[${tree}]`)[0]).toBe("bad-document");
    expect(load(value)[0]).toBe("bad-document");
    expect(load(value.replace("Notes", "Nope"), { unknown: "keep" })[0]).toBe("bad-document");
  });

  it.each([
    ["a map", new Map([["a", 1]])],
    ["a date", new Date(0)],
    ["an object of a class", new URL("https://example.com")],
  ])("%s in a value, which would be lost", (_, value) => {
    const document = JSON.parse(textOf('[{"components":{"Notes":{"list":[]}}}]')) as DocumentData;
    document.entities[0]!.components!.Notes = { list: [value as never] };
    const load = (): unknown => fromDocument(createWorld(), document, { definitions: all });

    expect(load).toThrow(
      expect.objectContaining({ code: "bad-document", place: "entities[0].components.Notes.list[0]" }),
    );
  });

  it("a call inside an iteration", () => {
    const world = createWorld();
    const document = toDocument(world, { all: true });

    expect(() => defer(world, () => fromDocument(world, document))).toThrow(
      expect.objectContaining({ code: "iterating" }),
    );
  });
});

describe("toDocument refuses", () => {
  it("a value that is no plain data, and says where it is", () => {
    const world = createWorld();
    spawn(world, Name("A"), Notes({ list: [new Map()] }));

    expect(() => save(world)).toThrow(
      expect.objectContaining({ code: "bad-document", place: "A.Notes.list[0]" }),
    );
  });

  it("a reference to an entity outside that has no path of its own", () => {
    const world = createWorld();
    const other = spawn(world);
    const root = spawn(world, Name("A"), Likes(other));

    expect(() => toDocument(world, { root })).toThrow(
      expect.objectContaining({ code: "bad-document", place: "A.Likes" }),
    );
  });

  it("a reference to one of several siblings with one name", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const other = spawn(world, Name("Twin"));
    spawn(world, Name("Twin"));
    const root = spawn(world, Link({ to: other }));

    expect(() => toDocument(world, { root })).toThrow(expect.objectContaining({ code: "bad-document" }));
  });

  it("a selection that is none, or two", () => {
    const world = createWorld();

    expect(() => toDocument(world, {})).toThrow(expect.objectContaining({ code: "bad-value" }));
    expect(() => toDocument(world, { all: true, entities: [] })).toThrow(
      expect.objectContaining({ code: "bad-value" }),
    );
  });
});

it("writes and loads chains of 20,000 entities", () => {
  const world = createWorld();
  const tree = `${'{"children":['.repeat(20_000)}${"]}".repeat(20_000)}`;
  fromDocument(world, textOf(`[${tree}]`));
  const text = writeJson(toDocument(world, { all: true }));
  const copy = createWorld();

  fromDocument(copy, text);

  expect(text.split("\n").length).toBeGreaterThan(40_000);
  expect(save(copy) === text).toBe(true);
});
