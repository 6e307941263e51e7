// The types of `bundle.mjs`.
import type { Plugin } from "vitest/config";

/** The bundle of each test file that has one. */
export type Bundles = ReadonlyMap<string, string>;

export const ONLY_VITEST: RegExp;
export const mapsStacks: { readonly setupFiles: string };
export function bundleTests(options: {
  readonly name: string;
  readonly paths: readonly string[];
  readonly conditions: readonly string[];
  readonly bundlesPackages?: boolean;
  readonly refused?: RegExp;
}): Promise<Bundles>;
export function loadBundles(bundles: Bundles): Plugin;
