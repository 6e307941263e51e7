import {
  Any,
  add,
  asTag,
  component,
  createWorld,
  destroyMany,
  f32,
  get,
  has,
  relation,
  remove,
  spawn,
  tag,
  targetsOf,
} from "@treeline/core";
import { Name } from "@treeline/names";
import { describe, expect, it } from "vitest";
import { fromBinary, toBinary } from "../../src/binary.ts";
import { migrations, renameFields, type StandardSchema, Unknown, withCodec } from "../../src/index.ts";
import { fromDocument, toDocument, writeJson } from "../../src/json.ts";
import { refused, save } from "../support.ts";

function textOf(entities: string, versions: string): string {
  return `{"format":"treeline","version":1,"form":"nested","versions":${versions},"entities":[\n${entities}\n]}\n`;
}

const PLACE = '{"components":{"Place":{"px":1,"py":2}}}';

describe("migrations", () => {
  const Position = migrations(
    component("Position", { x: f32, y: f32 }),
    [
      renameFields({ px: "x", py: "y" }),
      ({ x, y }: { x: number; y: number }) => ({ x: x * 100, y: y * 100 }),
    ],
    { formerNames: ["Place"] },
  );

  it("bring old values forward, under their former name", () => {
    const world = createWorld();

    const [one] = fromDocument(world, textOf(PLACE, '{"Place":1}'), { definitions: [Position] });

    expect(get(world, one!, Position)).toEqual({ x: 100, y: 200 });
    expect(toDocument(world, { all: true }).versions).toEqual({ Position: 3 });
  });

  it("leave one value of a component: a second one under its former name is refused", () => {
    const two = (...names: readonly string[]): string =>
      textOf(`{"components":{${names.map((name) => `"${name}":{}`).join()}}}`, '{"Place":3,"Position":3}');
    const placeOf = (text: string): string | undefined => {
      const world = createWorld();
      return refused(world, () => fromDocument(world, text, { definitions: [Position] })).place;
    };

    expect([two("Position", "Place"), two("Place", "Position")].map(placeOf)).toEqual([
      "entities[0].components.Place",
      "entities[0].components.Position",
    ]);
  });

  it("begin at the version of the document", () => {
    const world = createWorld();
    const entity = '{"components":{"Position":{"x":1,"y":2}}}';

    const [two] = fromDocument(world, textOf(entity, '{"Position":2}'), { definitions: [Position] });
    const [three] = fromDocument(world, textOf(entity, '{"Position":3}'));

    expect(get(world, two!, Position)).toEqual({ x: 100, y: 200 });
    expect(get(world, three!, Position)).toEqual({ x: 1, y: 2 });
  });

  it("do not change a document that is plain data", () => {
    const Changing = migrations(component("Changing", { x: f32 }), [
      (data: { x: number }) => {
        data.x = 5;
        return data;
      },
    ]);
    const document = JSON.parse(textOf('{"components":{"Changing":{"x":1}}}', '{"Changing":1}'));
    const before = structuredClone(document);

    fromDocument(createWorld(), document, { definitions: [Changing] });

    expect(document).toEqual(before);
  });

  it("refuse a newer version, and say where a step failed", () => {
    const Failing = migrations(component("Failing", { x: f32 }), [
      () => {
        throw new Error("cannot");
      },
    ]);
    const world = createWorld();
    const load = (text: string): unknown =>
      refused(world, () => fromDocument(world, text, { definitions: [Position, Failing], unknown: "keep" }));

    expect(load(textOf('{"components":{"Position":{}}}', '{"Position":4}'))).toMatchObject({
      code: "bad-document",
      place: "entities[0].components.Position",
    });
    expect(load(textOf('{"components":{"Failing":{}}}', '{"Failing":1}'))).toMatchObject({
      place: "entities[0].components.Failing",
      message: "entities[0].components.Failing: a migration failed: cannot",
    });
  });
});

describe("what is not known", () => {
  const New = component("New", { x: f32 });
  const Fresh = tag("Fresh");
  const Knows = relation("Knows", { fields: { since: f32 } });
  const Old = component("Old", { x: f32 });
  const text = textOf(
    '{"id":1,"name":"A","components":{"New":{"x":1},"Old":{"x":2,"y":{"$entity":2}},"__proto__":{"to":{"$entity":1}}},' +
      '"tags":["Fresh","Only"],"pairs":{"Knows":[{"to":{"$entity":2},"value":{"since":1}},{"$path":["Nowhere"]}]}},\n' +
      '{"id":2,"name":"B"}',
    '{"Fresh":1,"Knows":1,"New":3,"Old":1,"Only":2,"__proto__":1}',
  );

  it("are kept where they are fields of pairs, while the entity has the pair", () => {
    const Owes = relation("Owes", { fields: { coins: 0 } });
    const world = createWorld();
    const pair = '{"to":{"$entity":2},"value":{"coins":3,"by":{"$entity":1},"note":"soon"}}';
    const text = textOf(`{"id":1,"pairs":{"Owes":[${pair}]}},\n{"id":2}`, '{"Owes":1}');

    const [one] = fromDocument(world, text, { definitions: [Owes], unknown: "keep" });
    expect(save(world)).toBe(text);
    const copy = createWorld();
    fromBinary(copy, toBinary(world, { all: true }), { definitions: [Owes], unknown: "keep" });
    expect(save(copy)).toBe(text);

    remove(world, one!, Owes(Any));
    expect(save(world)).toBe(textOf("{},\n{}", "{}"));
  });

  it("is kept, and comes out again unchanged", () => {
    const world = createWorld();

    fromDocument(world, text, { definitions: [Old], unknown: "keep" });

    expect(save(world)).toBe(text);
    const copy = createWorld();
    fromDocument(copy, save(world), { definitions: [Old], unknown: "keep" });
    expect(save(copy)).toBe(text);
  });

  it("is written where it would be if it were known", () => {
    const Near = relation("Near");
    const world = createWorld();
    const place = spawn(world, Name("Place"));
    add(world, place, component("Known", { x: f32 })({ x: 1 }), tag("Marked"), Near(place), asTag(place));
    const text = save(world);
    const copy = createWorld();
    fromDocument(copy, text, { definitions: [Near], unknown: "keep" });

    expect(save(copy)).toBe(text);
  });

  it("refers to the same entities when these have other ids, and to none that are destroyed", () => {
    const world = createWorld();
    spawn(world, Name("First"));
    const [, second] = fromDocument(world, text, { definitions: [Old], unknown: "keep" });
    add(world, spawn(world, Name("Last")), asTag(second!));

    destroyMany(world, [second!]);

    const saved = save(world);
    expect(saved).toContain('"Old":{"x":2,"y":null}');
    expect(saved).toContain('"Knows":[{"$path":["Nowhere"]}]');
  });

  it("is dropped, if asked", () => {
    const world = createWorld();

    const [one] = fromDocument(world, text, { definitions: [Old], unknown: "drop" });

    expect(has(world, one!, Unknown)).toBe(false);
    expect(get(world, one!, Old)).toEqual({ x: 2 });
  });

  it("is known again to a program that has it", () => {
    const world = createWorld();
    const given = text.replace('"New":3', '"New":1').replace(',{"$path":["Nowhere"]}', "");
    fromDocument(world, given, { definitions: [Old], unknown: "keep" });
    const copy = createWorld();

    const [one, two] = fromDocument(copy, save(world), {
      definitions: [New, Fresh, Knows, Old],
      unknown: "drop",
    });

    expect(get(copy, one!, New)).toEqual({ x: 1 });
    expect(has(copy, one!, Fresh)).toBe(true);
    expect(targetsOf(copy, one!, Knows)).toEqual([two]);
  });
});

describe("withCodec", () => {
  it("stores values that are no plain data", () => {
    const Seen = withCodec(component<Date>("Seen"), {
      write: (date) => date.toISOString(),
      read: (text: string) => new Date(text),
    });
    const world = createWorld();
    spawn(world, Seen(new Date(5)));
    const copy = createWorld();

    const [one] = fromDocument(copy, save(world), { definitions: [Seen] });

    expect(save(world)).toContain('"Seen":"1970-01-01T00:00:00.005Z"');
    expect(get(copy, one!, Seen)).toEqual(new Date(5));
  });

  it("checks values by a Standard Schema, which may replace them", () => {
    const positive: StandardSchema<{ x: number }> = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (given) => {
          const { x } = given as { x: number };
          return x < 0 ? { issues: [{ message: "too small", path: ["x"] }] } : { value: { x: x + 1 } };
        },
      },
    };
    const Size = withCodec(component("Size", { x: f32 }), { schema: positive });
    const world = createWorld();
    const load = (x: number): unknown =>
      fromDocument(world, textOf(`{"components":{"Size":{"x":${x}}}}`, "{}"), { definitions: [Size] });

    load(1);

    expect(writeJson(toDocument(world, { all: true }))).toContain('{"x":2}');
    expect(refused(world, () => load(-1))).toMatchObject({
      code: "bad-document",
      place: "entities[0].components.Size.x",
    });
  });

  it("is set once, for a component", () => {
    const Once = withCodec(component<Date>("Once"), { read: (text: string) => new Date(text) });

    expect(() => withCodec(Once, {})).toThrow(expect.objectContaining({ code: "bad-definition" }));
    expect(() => withCodec(tag("Tag") as never, {})).toThrow(
      expect.objectContaining({ code: "bad-definition" }),
    );
  });
});
