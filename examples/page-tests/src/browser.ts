// What tests use of Playwright (`BrowserPage`, `Locator`), and the browser of the test run (`connect`, `hasBrowser`).
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Where `tooling/scripts/browser/for-tests.mjs` has launched a browser; "" if there is none. */
    readonly browser: string;
  }
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** What tests use of an element in Playwright. */
export interface Locator {
  readonly click: (options?: {
    readonly position?: Place;
    readonly modifiers?: readonly string[];
  }) => Promise<void>;
  readonly dblclick: (options?: { readonly position?: Place }) => Promise<void>;
  readonly count: () => Promise<number>;
  readonly dragTo: (target: Locator) => Promise<void>;
  readonly fill: (text: string) => Promise<void>;
  readonly first: () => Locator;
  readonly getByText: (text: string | RegExp, options?: { readonly exact?: boolean }) => Locator;
  readonly getAttribute: (name: string) => Promise<string | null>;
  readonly locator: (selector: string) => Locator;
  readonly press: (key: string) => Promise<void>;
  readonly screenshot: () => Promise<Uint8Array>;
  readonly setInputFiles: (
    files: readonly { readonly name: string; readonly mimeType: string; readonly buffer: Uint8Array }[],
  ) => Promise<void>;
  readonly scrollIntoViewIfNeeded: () => Promise<void>;
  readonly textContent: () => Promise<string | null>;
  readonly waitFor: () => Promise<void>;
}

/** What tests use of a page in Playwright, whose types are not installed for those who do not test pages. */
export interface BrowserPage extends Pick<Locator, "getByText" | "locator" | "screenshot"> {
  readonly getByRole: (
    role: string,
    options?: { readonly name?: string | RegExp; readonly exact?: boolean },
  ) => Locator;
  readonly addInitScript: (run: () => void) => Promise<unknown>;
  readonly keyboard: {
    readonly down: (key: string) => Promise<void>;
    readonly up: (key: string) => Promise<void>;
    readonly press: (key: string) => Promise<void>;
    readonly type: (text: string) => Promise<void>;
  };
  readonly mouse: {
    readonly click: (x: number, y: number) => Promise<void>;
    readonly down: () => Promise<void>;
    readonly move: (x: number, y: number, options?: { readonly steps?: number }) => Promise<void>;
    readonly up: () => Promise<void>;
    readonly wheel: (x: number, y: number) => Promise<void>;
  };
  readonly close: () => Promise<void>;
  readonly evaluate: <Result, Argument>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ) => Promise<Result>;
  readonly goto: (url: string) => Promise<unknown>;
  readonly on: OnEvent;
  readonly setDefaultTimeout: (milliseconds: number) => void;
  readonly waitForFunction: <Argument>(
    run: (argument: Argument) => unknown,
    argument?: Argument,
  ) => Promise<unknown>;
}

interface OnEvent {
  (event: "pageerror", listener: (error: Error) => void): void;
  (
    event: "console",
    listener: (message: { readonly type: () => string; readonly text: () => string }) => void,
  ): void;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Browser {
  readonly newPage: (options: { readonly viewport: Size }) => Promise<BrowserPage>;
  readonly close: () => Promise<void>;
}

export interface Server {
  readonly address: () => { readonly port: number };
  readonly close: () => void;
}

/** A script of the repository: they have no types, and are above the folder of the example. */
function script<Module>(name: string): Promise<Module> {
  return import(/* @vite-ignore */ new URL(`../../../tooling/scripts/${name}`, import.meta.url).href);
}

export const hasBrowser = (): boolean => inject("browser") !== "";

/** The browser of the test run; closing it ends only the connection. */
export async function connect(): Promise<Browser> {
  const launcher = await script<{ connect: (endpoint: string) => Promise<Browser> }>("browser/launch.mjs");
  return launcher.connect(inject("browser"));
}

/** Opens a page that waits for what it is told to wait for, however slow the machine is. */
export async function openPage(browser: Browser, viewport: Size): Promise<BrowserPage> {
  const { HUNG } = await script<{ HUNG: number }>("tests/limits.mjs");
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(HUNG);
  return page;
}

export async function serve(folder: string): Promise<Server> {
  const server = await script<{ serve: (folder: string) => Promise<Server> }>("browser/serve.mjs");
  return server.serve(folder);
}
