// `prefabs`: what `toDocument` and `fromDocument` take.
import { has, type Tag, TreelineError } from "@treeline/core";
import { Prefab } from "@treeline/core/internal";
import type { InstanceFormat, InstanceWork } from "@treeline/document/internal";
import { Slot } from "../base/definitions.ts";
import { usePrefabs } from "../make/template-work.ts";
import { Loader } from "./load.ts";
import { Saver } from "./save.ts";

/**
 * How instances of prefabs are saved and loaded: pass it to `toDocument` and `fromDocument`. An instance is saved as the key of its prefab, what it
 * has changed, and what was attached to it; so it follows the prefab from file to file. Parts are addressed by ids, not by names.
 *
 * @example
 * const text = writeJson(toDocument(world, { root: fleet, prefabs }));
 * fromDocument(other, text, { definitions, prefabs });
 */
export const prefabs: InstanceFormat = {
  definitions: [Slot],
  saver: (world, { roots, entities, form = "nested" }) => {
    if (entities !== undefined) {
      let text = "with prefabs, toDocument takes root or all, not entities";
      CHECK: text += "; list those that are not below one another as root";
      throw new TreelineError("bad-value", text);
    }
    if (form !== "nested")
      throw new TreelineError("bad-value", "documents with prefabs have the nested form");
    if (roots !== undefined && roots.length > 1 && roots.some((one) => has(world, one, Prefab as Tag)))
      throw new TreelineError("bad-value", "a prefab has a document of its own: save it as the only root");
    return new Saver(world, roots?.length === 1 ? roots[0] : undefined);
  },
  loader: (world, parent) => {
    usePrefabs(world);
    return new Loader(world, parent);
  },
} satisfies InstanceWork as object as InstanceFormat;
