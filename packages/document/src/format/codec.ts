// `withCodec`, `migrations`, `renameFields`: what a definition stores for documents (`storedOf`, `versionOf`); throws `bad-definition`.
import { type Component, type Definition, type Entity, TreelineError, type World } from "@treeline/core";

/**
 * A validator as https://standardschema.dev describes it: Zod, Valibot, ArkType and others make them. Only the types are needed, so
 * there is no dependency.
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a validator returns: the value to use, or what is wrong. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** How documents store the values of a component. */
export interface Codec<Value> {
  /** Returns plain data for a value. Default: the value itself, which must be plain data then. */
  readonly write?: (value: Value) => unknown;
  /** Returns the value for what `write` returned. Default: the plain data. */
  readonly read?: (data: never) => Value;
  /** Checks, and may replace, values that have been read. It must answer at once, not by a promise. */
  readonly schema?: StandardSchema<Value>;
}

/** Brings a value one version forward. */
export type Migration = (data: never) => unknown;

/** What functions of this package have set for a definition. */
export interface Stored {
  codec?: Codec<unknown>;
  migrations?: readonly Migration[];
  formerNames?: readonly string[];
  /** Why a pair with this target cannot be written; `undefined` if it can. */
  refusal?: (world: World, target: Entity) => string | undefined;
}

export function storedOf(definition: Definition): Stored {
  return (definition.stored ?? {}) as Stored;
}

function store(definition: Definition, what: Stored): void {
  const before = storedOf(definition);
  for (const name of Object.keys(what))
    if (Object.hasOwn(before, name))
      throw new TreelineError("bad-definition", `${definition.name} has ${name} already; set them once`);
  definition.stored = { ...before, ...what };
}

/**
 * Sets how documents store the values of a component. Values that are plain data need no codec; classes, maps, dates and functions
 * do. For a component with fields, `write` gets an object with all fields, in which entities are handles: only `schema` is useful
 * there.
 *
 * @returns the component.
 * @throws TreelineError `bad-definition` if the component has a codec, or is none.
 *
 * @example
 * const Seen = withCodec(component<Date>("Seen"), {
 *   write: (date) => date.toISOString(),
 *   read: (text: string) => new Date(text),
 * });
 */
export function withCodec<Value, C extends Component<Value>>(
  definition: C & Component<Value>,
  codec: Codec<Value>,
): C {
  if ((definition as Definition | undefined)?.kind !== "component")
    throw new TreelineError("bad-definition", "withCodec takes a component");
  if (definition.holds !== "values" && (codec.write ?? codec.read) !== undefined)
    throw new TreelineError(
      "bad-definition",
      `${definition.name} has fields, which documents store themselves; pass only a schema`,
    );
  store(definition, { codec: codec as Codec<unknown> });
  return definition;
}

/**
 * Sets how documents of earlier versions are read. The version of a component, tag or relation is 1 plus the number of steps; each
 * step gets the data of a value as the document has it, one version older, and returns it one version newer. An instance of a prefab has
 * only the fields that it overrides: a step leaves out what it cannot compute from those that are there.
 *
 * @param steps the first one reads version 1. Without steps the version is 1.
 * @param options `formerNames`: names that it had in earlier documents.
 * @returns the definition.
 * @throws TreelineError `bad-definition` if the definition has migrations.
 *
 * @example
 * const Position = migrations(component("Position", { x: f32, y: f32 }), [
 *   renameFields({ px: "x", py: "y" }), // 1 to 2
 *   (data: { [axis: string]: number }) =>
 *     Object.fromEntries(Object.entries(data).map(([axis, metres]) => [axis, metres * 100])), // 2 to 3
 * ], { formerNames: ["Place"] });
 */
export function migrations<D extends Definition>(
  definition: D,
  steps: readonly Migration[],
  options: { readonly formerNames?: readonly string[] } = {},
): D {
  store(definition, { migrations: [...steps], formerNames: [...(options.formerNames ?? [])] });
  return definition;
}

/** A step for `migrations`: gives fields other names, and keeps the others. */
export function renameFields(names: { readonly [before: string]: string }): Migration {
  const after = new Map(Object.entries(names));
  return (data: { readonly [name: string]: unknown }) =>
    Object.fromEntries(Object.entries(data).map(([name, value]) => [after.get(name) ?? name, value]));
}

export function versionOf(definition: Definition): number {
  return 1 + (storedOf(definition).migrations?.length ?? 0);
}
