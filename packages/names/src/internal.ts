/** Internal API: what other packages of Treeline may use of names in addition to the public API. It may change in any release. */

export { nameHashes, nameState, settleNames } from "./verb/name-state.ts";
