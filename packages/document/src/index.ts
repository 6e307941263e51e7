// What all formats share and users import: `withCodec`, `migrations`, `Unknown`, types.
export {
  type Codec,
  type Migration,
  migrations,
  renameFields,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  withCodec,
} from "./format/codec.ts";
export { builtins } from "./format/definitions.ts";
export type {
  DocumentData,
  EntityData,
  Json,
  PairData,
  PartData,
  Reference,
} from "./format/document.ts";
export type { DocumentError } from "./format/error.ts";
export type { DocumentLimits } from "./format/limits.ts";
export { Unknown, type UnknownData, type UnknownPair } from "./format/unknown.ts";
