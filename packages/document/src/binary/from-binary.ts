// `fromBinary`: options, names and drafts.
import type { Entity, World } from "@treeline/core";
import { requireOptions, shown } from "@treeline/core/internal";
import { definitionsByName } from "../format/definitions.ts";
import { refuseDocument } from "../format/error.ts";
import { limitsFrom } from "../format/limits.ts";
import { EntityReader, requirePolicy } from "../json/entity-reader.ts";
import type { LoadOptions } from "../json/from-document.ts";
import { makeEntities } from "../load/make.ts";
import { Names } from "../load/names.ts";
import { ValueReader } from "../load/read-values.ts";
import { requireLittleEndian } from "./bytes.ts";
import { decode } from "./decode.ts";
import { makeSheets } from "./make-sheets.ts";
import { entitiesOf } from "./to-entities.ts";

/**
 * Makes the entities of a binary document, all of them or none, and returns its roots in order: `fromDocument` for what `toBinary`
 * returns. Everything is read and checked before the first entity is made. In `ids` each entity has a number: its place, from 1.
 *
 * @cost the document; entities of one type are made together.
 * @param bytes are not changed, and not needed afterwards.
 * @param options as for `fromDocument`.
 * @throws DocumentError `bad-document` for bytes that are no document, incomplete or damaged, with the `place`, such as `byte 16`,
 *   and for a document over the limits; `bad-definition` if two definitions have one name; `dead-entity` if `parent` is not alive;
 *   `bad-value` for an unknown policy, and on a machine that is not little-endian; `iterating` inside an iteration; `name-taken`,
 *   `full` and `cycle` for entities that cannot all be made; and as `spawn`. Nothing has changed then.
 *
 * @example
 * const [station] = fromBinary(world, readFileSync("station.tree"), { definitions: [Position, Door] });
 */
export function fromBinary(world: World, bytes: Uint8Array, options: LoadOptions = {}): Entity[] {
  CHECK: requireOptions("fromBinary", options, [
    "parent",
    "with",
    "definitions",
    "unknown",
    "resolve",
    "lost",
    "limits",
    "ids",
  ]);
  const { unknown = "refuse", definitions = [] } = options;
  requirePolicy(unknown);
  requireLittleEndian();
  if (!(bytes instanceof Uint8Array))
    refuseDocument("", `a binary document is a Uint8Array, not ${shown(bytes)}`);
  const limits = limitsFrom(options.limits);
  const decoded = decode(bytes, limits);
  const versions = new Map(decoded.definitions.map(({ name, version }) => [name, version]));
  const names = new Names(definitionsByName(world, definitions), versions);
  const values = new ValueReader(world, options, limits, undefined);
  const made = makeSheets(world, decoded, names, values, limits.text, options);
  if (made !== undefined) {
    const { ids } = options;
    if (ids !== undefined) for (let place = 0; place < made.length; place++) ids.set(place + 1, made[place]!);
    return made.filter((_, place) => decoded.parents[place] === 0);
  }
  const reader = new EntityReader(world, names, {
    unknown,
    limits,
    isParsed: true,
    resolve: options.resolve,
    lost: options.lost,
    instances: undefined,
  });
  return makeEntities(world, reader.readAll(entitiesOf(decoded), "flat"), options);
}
