// What a name in a document means (`Names`): its kind (`roleOf`), the migrations of its version.
import type { Component, Definition, Field } from "@treeline/core";
import { type Codec, type Migration, storedOf, versionOf } from "../format/codec.ts";
import { refuseDocument } from "../format/error.ts";

/** Where a document names something. */
export type Role = "components" | "tags" | "pairs";

/** What is known of a name in a document. */
export interface Known {
  readonly definition: Definition;
  /** What brings values of the document's version forward. */
  readonly steps: readonly Migration[];
  readonly codec: Codec<unknown>;
  /** The fields by name. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** Finds what the names of a document mean. They are looked up in maps only. */
export class Names {
  private readonly definitions: ReadonlyMap<string, Definition>;
  private readonly versions: ReadonlyMap<string, number>;
  private readonly known = new Map<string, Known | undefined>();
  /** Components whose values need no step to be read: by names that have been found. */
  readonly numbers: Map<string, Known> = new Map();

  constructor(definitions: ReadonlyMap<string, Definition>, versions: ReadonlyMap<string, number>) {
    this.definitions = definitions;
    this.versions = versions;
  }

  /** The version of a name that the document gives; 1 if it gives none. */
  versionIn(name: string): number {
    return this.versions.get(name) ?? 1;
  }

  /**
   * @param role where the document names it; `undefined` if that says nothing.
   * @returns `undefined` for a name that is not known. @throws DocumentError for another kind, or a newer version.
   */
  find(name: string, role: Role | undefined, place: () => string): Known | undefined {
    const known = this.known.has(name) ? this.known.get(name) : this.read(name, place);
    if (known !== undefined && role !== undefined && roleOf(known.definition) !== role)
      refuseDocument(place(), `${name} belongs under ${roleOf(known.definition)}`);
    return known;
  }

  private read(name: string, place: () => string): Known | undefined {
    const definition = this.definitions.get(name);
    let known: Known | undefined;
    if (definition !== undefined) {
      const newest = versionOf(definition);
      const version = this.versions.get(name) ?? newest;
      if (version > newest) {
        let text = `${name} has version ${version} in the document, and this program reads up to ${newest}`;
        CHECK: text += "; load it with a newer program";
        refuseDocument(place(), text);
      }
      const { migrations = [], codec = {} } = storedOf(definition);
      known = {
        definition,
        steps: migrations.slice(version - 1),
        codec,
        fields: new Map(definition.fields),
      };
      const isPlain = known.steps.length === 0 && codec.schema === undefined;
      if (isPlain && roleOf(definition) === "components" && definition.holds === "fields")
        this.numbers.set(name, known);
    }
    this.known.set(name, known);
    return known;
  }
}

function roleOf(definition: Definition): Role {
  if (definition.kind === "relation") return "pairs";
  return (definition as Component).holds === "nothing" ? "tags" : "components";
}
