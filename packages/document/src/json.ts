// What users import to save and load JSON: `toDocument`, `writeJson`, `fromDocument`.
export type { InstanceFormat } from "./format/instances.ts";
export type { UnknownNames } from "./json/entity-reader.ts";
export { fromDocument, type LoadOptions } from "./json/from-document.ts";
export { type SaveOptions, toDocument } from "./json/to-document.ts";
export { writeJson } from "./json/write-json.ts";
export type { LostReference } from "./load/read-values.ts";
export type { OutsideOptions } from "./save/references.ts";
export type { Selection } from "./save/select.ts";
