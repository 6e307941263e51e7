/** Only the tree, as plain functions over both storages. */
export {
  attach,
  attachMany,
  attachNew,
  detach,
  remove,
  removeAll,
  sortChildren as sort,
} from "./tree/move.ts";
export { ancestors, children, descendants } from "./tree/walk.ts";
