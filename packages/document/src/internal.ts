/** Internal API: what other packages of Treeline may use of documents in addition to the public API. It may change in any release. */

export { storedOf } from "./format/codec.ts";
export type { Draft, Selected } from "./format/entities.ts";
export { refuseDocument } from "./format/error.ts";
export type {
  Entry,
  FindDefinition,
  InstanceFormat,
  InstanceLoader,
  InstanceSaver,
  InstanceWork,
  Numbering,
  Part,
  PartWriter,
} from "./format/instances.ts";
export { isTransient } from "./format/transient.ts";
export { isObject, placeIn, withoutMark } from "./format/values.ts";
export { readDocument } from "./json/from-document.ts";
export { applyPatches, type Drafts } from "./load/draft.ts";
export { addMember, orderMembers, sorted } from "./save/entity-writer.ts";
