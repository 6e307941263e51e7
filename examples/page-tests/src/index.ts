// What tests of pages import.
export type { BrowserPage, Locator, Place, Size } from "./browser.ts";
export { describePage, describeServed, type OpenPage, type Served } from "./describe-page.ts";
export { holdFrames, playFrames } from "./frames.ts";
export { expectPicture } from "./picture.ts";
