// What a text in the field finds (`find`): a pattern, or a part of a name.
import { type Entity, findAll, TreelineError, type World } from "treeline";

export interface Found {
  readonly entities: readonly Entity[];
  /** What is wrong with the pattern. */
  readonly problem?: string;
}

/**
 * The entities that a text in the field means: a pattern of paths such as `Ship::**::Wheel ?`, or a part of a name. Upper and lower case of a
 * part do not matter.
 */
export function find(world: World, text: string): Found {
  if (text === "") return { entities: [] };
  try {
    return { entities: findAll(world, isPattern(text) ? text : ["**", partOfName(text)]) };
  } catch (error) {
    if (error instanceof TreelineError) return { entities: [], problem: error.message };
    throw error;
  }
}

const isPattern = (text: string): boolean => /::|[*?\\]|^#\d+$/.test(text);

const partOfName = (text: string): RegExp => new RegExp(text.replace(/[^\w\s]/g, "\\$&"), "iu");
