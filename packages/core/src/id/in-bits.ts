import type { Tag } from "./definition.ts";

/** Stores a tag as a bit beside each row, in place of the types of tables. Once, and before it is used. */
export function inBits(tag: Tag): Tag {
  tag.storage = "bits";
  return tag;
}
