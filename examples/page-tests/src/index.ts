export type { BrowserPage, Locator, Place } from "./browser.ts";
export { describePage, type OpenPage, type Size } from "./describe-page.ts";
export { expectPicture } from "./picture.ts";
