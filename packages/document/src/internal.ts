/** Internal API: what other packages of Treeline may use of documents in addition to the public API. It may change in any release. */

export { storedOf } from "./format/codec.ts";
export { refuseDocument } from "./format/error.ts";
export {
  AttachedData,
  type InstanceFormat,
  type InstanceLoader,
  InstanceNode,
  type InstanceSaver,
  type OwnParts,
  type SavedPart,
} from "./format/instances.ts";
export { isObject, placeIn } from "./format/values.ts";
