// What users import to save and load bytes: `toBinary`, `fromBinary`, `compress`, `hashOf`.
export { compress, decompress } from "./binary/compress.ts";
export { fromBinary } from "./binary/from-binary.ts";
export { hashOf } from "./binary/hash.ts";
export { type BinarySaveOptions, toBinary } from "./binary/to-binary.ts";
export type { UnknownNames } from "./json/entity-reader.ts";
export type { LoadOptions } from "./json/from-document.ts";
export type { LostReference } from "./load/read-values.ts";
export type { OutsideOptions } from "./save/references.ts";
export type { Selection } from "./save/select.ts";
