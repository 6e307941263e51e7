// Values and references (`ValueReader`): limits, migrations, codecs, validators; throws `bad-definition`.
import { type Entity, isAlive, TreelineError, type World } from "@treeline/core";
import { shown, warn } from "@treeline/core/internal";
import { lookup } from "@treeline/names";
import type { Json } from "../format/document.ts";
import { put } from "../format/document.ts";
import { refuseDocument } from "../format/error.ts";
import type { InstanceLoader } from "../format/instances.ts";
import { type Limits, VALUE_DEPTH } from "../format/limits.ts";
import { fitsKind, numberFromJson } from "../format/numbers.ts";
import { isObject, mapReferences, placeIn, valueFromJson } from "../format/values.ts";
import { markOf, uniquePath } from "../save/references.ts";
import type { Patch } from "./draft.ts";
import type { Known } from "./names.ts";

type Place = () => string;
type Data = { readonly [name: string]: unknown };

/** A reference of a document that leads to no entity any more. */
export interface LostReference {
  /** Where in the document, such as `entities[0].pairs.Follows[1]`. */
  readonly place: string;
  /** The path that the entity had, if one led to it alone. */
  readonly path: readonly string[] | undefined;
}

/** Reads values and references, which become handles at the end. */
export class ValueReader {
  readonly patches: Patch[] = [];
  private readonly world: World;
  private readonly resolve: ((key: Json) => Entity | undefined) | undefined;
  private readonly lost: LostReference[] | undefined;
  private readonly limits: Limits;
  private readonly instances: InstanceLoader | undefined;
  /** Entities outside by path. */
  private readonly paths = new Map<string, Entity>();

  constructor(
    world: World,
    { resolve, lost }: OutsideReading,
    limits: Limits,
    instances: InstanceLoader | undefined,
  ) {
    this.world = world;
    this.lost = lost;
    this.instances = instances;
    this.resolve = resolve;
    this.limits = limits;
  }

  /** @throws DocumentError for what is no text, or a longer one than the limit. */
  text(data: unknown, place: Place): string {
    if (this.isSmallText(data)) return data as string;
    if (typeof data !== "string") return refuseDocument(place(), `expects a text, not ${shown(data)}`);
    return refuseDocument(
      place(),
      `the text has ${data.length} characters, more than the limit of ${this.limits.text}`,
    );
  }

  isSmallText(data: unknown): boolean {
    return typeof data === "string" && data.length <= this.limits.text;
  }

  /** Refuses texts and levels over the limits anywhere in plain data. */
  requireLimits(data: unknown, place: Place, depth = 0): void {
    if (this.isSmall(data)) return;
    if (typeof data === "string") this.text(data, place);
    if (typeof data !== "object" || data === null) refuseDocument(place(), `${shown(data)} is no plain data`);
    if (depth === VALUE_DEPTH) refuseDocument(place(), `a value has more than ${VALUE_DEPTH} levels`);
    if (Array.isArray(data)) {
      for (let at = 0; at < data.length; at++)
        if (!this.isSmall(data[at])) this.requireLimits(data[at], () => placeIn(place(), at), depth + 1);
      return;
    }
    for (const name of Object.keys(data)) {
      const one = (data as Data)[name];
      if (this.isSmall(name) && this.isSmall(one)) continue;
      const inside = (): string => placeIn(place(), name);
      this.text(name, inside);
      this.requireLimits(one, inside, depth + 1);
    }
  }

  /** Is it a number, a truth value, `null`, or a text within the limit? Asked first: a place costs a closure. */
  private isSmall(data: unknown): boolean {
    return this.isSmallText(data) || typeof data === "number" || typeof data === "boolean" || data === null;
  }

  /**
   * Reads a reference: writes the handle into a member of an object, now or when the entities of the document have theirs.
   *
   * @returns false, with nothing written, for one that was kept and is lost.
   * @throws DocumentError for what is none, and for an entity outside that is not found.
   */
  reference(data: unknown, into: object, member: string | number, place: Place): boolean {
    const names = isObject(data) ? Object.keys(data) : [];
    const [kind] = names;
    if (names.length !== 1) refuseReference(data, place);
    const value = (data as Data)[kind!];
    if (kind === "$entity" && Number.isInteger(value))
      this.patches.push({ into, member, entity: value as number, place });
    else if (kind === "$path" && Array.isArray(value)) put(into, `${member}`, this.atPath(value, place));
    else if (kind === "$prefab" && this.instances !== undefined)
      put(into, `${member}`, this.instances.prefabOf(value, place));
    else if (kind === "$living" && isObject(value)) {
      const found = this.livingOf(value, place);
      if (found === undefined) return false;
      put(into, `${member}`, found);
    } else if (kind === "$outside") {
      this.requireLimits(value, place);
      const found = this.resolve?.(value as Json);
      let text = "resolve returns no living entity";
      CHECK: text = "the entity is outside of the document, and resolve returns no living one for its key";
      if (found === undefined || !isAlive(this.world, found)) refuseDocument(place(), text);
      put(into, `${member}`, found);
    } else refuseReference(data, place);
    return true;
  }

  private atPath(names: readonly unknown[], place: Place): Entity {
    const found = this.findPath(names, place);
    if (found !== undefined) return found;
    let text = `no entity, or more than one, has the path ${JSON.stringify(names)}`;
    CHECK: text += "; make it first, or pass resolve both when saving and when loading";
    return refuseDocument(place(), text);
  }

  private findPath(names: readonly unknown[], place: Place): Entity | undefined {
    const path = names.map((name) => this.text(name, place));
    const key = JSON.stringify(path);
    const known = this.paths.get(key);
    if (known !== undefined) return known;
    const found = path.length === 0 || path.includes("") ? undefined : lookup(this.world, path);
    if (found === undefined || uniquePath(this.world, found)?.length !== path.length) return undefined;
    this.paths.set(key, found);
    return found;
  }

  /** The entity that was kept, in its world; in others, and if it is destroyed, what has its path. */
  private livingOf({ world, entity, path }: Data, place: Place): Entity | undefined {
    if (typeof world !== "string" || typeof entity !== "number" || !isPath(path))
      return refuseReference(world, place);
    if (world === markOf(this.world).mark && isAlive(this.world, entity as Entity)) return entity as Entity;
    const found = path && this.findPath(path, place);
    if (found !== undefined) return found;
    this.lost?.push({ place: place(), path });
    CHECK: if (this.lost === undefined)
      warn(`${place()}: the entity that this referred to is not in this world, so the reference is dropped`);
    return undefined;
  }

  /**
   * The value of a component or pair, after its migrations.
   *
   * @param other gets the fields that the component does not have.
   */
  value(known: Known, data: unknown, place: Place, other: (name: string, data: unknown) => void): unknown {
    const { definition, steps, codec } = known;
    this.requireLimits(data, place);
    let current = data;
    if (steps.length > 0) {
      current = mapReferences(data as Json, () => undefined, place); // a step may change what it gets
      for (const step of steps) current = calling(place, "a migration", () => step(current as never));
      this.requireLimits(current, place);
    }
    if (definition.holds === "values") {
      const { read } = codec;
      const plain = valueFromJson(current, place);
      const value = read === undefined ? plain : calling(place, "the codec", () => read(plain as never));
      return this.validated(known, value, place);
    }
    if (!isObject(current))
      return refuseDocument(place(), `expects an object with fields, not ${shown(current)}`);
    const value = {};
    let references: string[] | undefined;
    for (const name of Object.keys(current)) {
      const field = known.fields.get(name);
      const one = current[name];
      if (field === undefined) other(name, one);
      else if (field.kind === "entity") (references ??= []).push(name);
      else if (fitsField(field, one)) put(value, name, one);
      else
        put(
          value,
          name,
          this.field(field, one, () => placeIn(place(), name)),
        );
    }
    const checked = this.validated(known, value, place);
    if (!isObject(checked)) return refuseDocument(place(), "the validator returned no object with fields");
    for (const name of references ?? []) {
      const here = (): string => placeIn(place(), name);
      if (current[name] === null || !this.reference(current[name], checked, name, here))
        put(checked, name, undefined);
    }
    return checked;
  }

  private validated({ definition, codec }: Known, value: unknown, place: Place): unknown {
    const { schema } = codec;
    if (schema === undefined) return value;
    const result = calling(place, "the validator", () => schema["~standard"].validate(value));
    if (result instanceof Promise)
      throw new TreelineError(
        "bad-definition",
        `${definition.name} has a validator that answers by a promise`,
      );
    if (result.issues === undefined) return result.value;
    const [issue] = result.issues;
    let at = place();
    for (const step of issue?.path ?? [])
      at = placeIn(
        at,
        typeof step === "object" ? String(step.key) : typeof step === "number" ? step : String(step),
      );
    return refuseDocument(at, issue?.message ?? "the validator refuses it");
  }

  private field({ kind, isList, length }: FieldLike, data: unknown, place: Place): unknown {
    if (isList) {
      if (!Array.isArray(data) || data.length !== length)
        return refuseDocument(place(), `expects a list of ${length} numbers, not ${shown(data)}`);
      return data.map((one, at) => readNumber(kind, one, () => placeIn(place(), at)));
    }
    if (kind === "value") return valueFromJson(data, place);
    if (kind !== "bool") return readNumber(kind, data, place);
    if (typeof data !== "boolean")
      return refuseDocument(place(), `expects true or false, not ${shown(data)}`);
    return data;
  }
}

/** The common case: is it a number for a field of numbers? */
export function fitsField({ kind, isList }: FieldLike, data: unknown): boolean {
  return typeof data === "number" && !isList && fitsKind(kind, data);
}

/** What is done with references to entities outside of a document. */
export interface OutsideReading {
  readonly resolve?: ((key: Json) => Entity | undefined) | undefined;
  readonly lost?: LostReference[] | undefined;
}

interface FieldLike {
  readonly kind: string;
  readonly isList: boolean;
  readonly length: number;
}

function readNumber(kind: string, data: unknown, place: Place): number {
  const number = numberFromJson(data);
  if (number === undefined) return refuseDocument(place(), `expects a number, not ${shown(data)}`);
  if (!fitsKind(kind, number)) return refuseDocument(place(), `${number} does not fit ${kind}`);
  return number;
}

/** Calls a user's function; its error names the place. */
function calling<Result>(place: Place, what: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    return refuseDocument(
      place(),
      `${what} failed: ${error instanceof Error ? error.message : shown(error)}`,
      error,
    );
  }
}

function isPath(path: unknown): path is readonly string[] | undefined {
  return path === undefined || (Array.isArray(path) && path.every((one) => typeof one === "string"));
}

function refuseReference(data: unknown, place: Place): never {
  let text = "expects a reference to an entity";
  CHECK: text += ', { "$entity": 1 } or { "$path": ["Ship"] }';
  return refuseDocument(place(), `${text}, not ${shown(data)}`);
}
