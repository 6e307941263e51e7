import { TreelineError } from "@treeline/core";
import type { InstanceFormat } from "@treeline/document/internal";
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
  saver: (world, { root, entities, form = "nested" }) => {
    if (entities !== undefined) {
      let text = "with prefabs, toDocument takes root or all, not entities";
      CHECK: text += "; list those that are not below one another as root";
      throw new TreelineError("bad-value", text);
    }
    if (form !== "nested")
      throw new TreelineError("bad-value", "documents with prefabs have the nested form");
    return new Saver(world, root);
  },
  loader: (world, parent) => {
    usePrefabs(world);
    return new Loader(world, parent);
  },
};
