/**
 * What tests of behaviour read of the inside: the options of a world, its pending names and the slots of its index, which have no
 * public function, and the choice of a suffix, which `text/suffix.test.ts` tests by itself.
 */
export { freeName } from "../src/text/text.ts";
export { namesOf } from "../src/verb/name.ts";
