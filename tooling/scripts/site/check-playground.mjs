// Uses the playground of the built site as readers do, in Chromium: edits, runs, shares, and reads the picture of the tables.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../lib.mjs";
import { findings, misplaced } from "./in-page.mjs";
import { expect, keep } from "./promises.mjs";

/** What each starter prints, or part of it; "" for those that draw. */
const STARTERS = {
  tree: "Ship::Crane::Hook",
  query: "6 do not burn",
  cascade: "{ x: 50, y: 108 }",
  prefab: "{ points: 120 } { points: 250 }",
  transform: "",
  three: "",
  observer: "20 points",
  undo: "done again: Ship 0,0  Ship::Turret 7,2",
};

/** What a reader can do on the page. */
function readerOf(page, url) {
  const playground = page.locator(".playground");
  const content = page.locator(".playground .cm-content");
  return {
    page,
    url,
    content,
    /** Opens the playground in a new document. */
    async open(fragment = "") {
      await page.goto("about:blank");
      await page.goto(`${url}playground.html${fragment}`);
      await page.waitForFunction(() => document.querySelector(".playground .cm-content")?.textContent);
    },
    /** Replaces the program by pasting another one. */
    async write(program) {
      await content.click();
      await page.keyboard.press("Control+a");
      await content.evaluate((element, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        element.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      }, program);
    },
    async run() {
      await page.locator(".playground").getByRole("button", { name: "Run" }).click();
      await this.ended();
    },
    ended: () => page.locator('.playground:is([data-state="settled"], [data-state="failed"])').waitFor(),
    state: () => playground.getAttribute("data-state"),
    console: () => page.locator(".playground-console").textContent(),
    printed: (text) =>
      page.waitForFunction(
        (text) => document.querySelector(".playground-console")?.textContent.includes(text),
        text,
      ),
    notice: () => page.locator(".playground-notice").textContent(),
    /** The program as the page would share it. */
    async shared() {
      await page.getByRole("button", { name: "Share" }).click();
      const field = page.getByRole("textbox", { name: "Link to this program" });
      return new URL(await field.inputValue()).hash;
    },
  };
}

/** What is promised, and how a browser shows that it holds. */
const CHECKS = {
  async "every starter runs"(reader) {
    const files = readdirSync(join(root, "examples/playground/src")).map((name) => name.replace(".ts", ""));
    expect(files.sort().join() === Object.keys(STARTERS).sort().join(), `the starters are ${files}`);
    for (const [name, output] of Object.entries(STARTERS)) {
      await reader.open(`#start=${name}`);
      await reader.run();
      const printed = await reader.console();
      expect((await reader.state()) === "settled", `${name} ends as ${await reader.state()}: ${printed}`);
      await reader.page.locator(".tables-archetype").first().waitFor();
      if (output === "") await reader.page.locator(".playground-frame.is-drawing iframe").waitFor();
      else expect(printed.includes(output), `${name} prints ${printed}`);
    }
  },

  async "the program of the editor runs by the keyboard, and Escape and Tab leave the editor"(reader) {
    await reader.open();
    await reader.write('const word: string = "typed";\nconsole.log(word);');
    await reader.page.keyboard.press("Control+Enter");
    await reader.printed("typed");
    await reader.page.keyboard.press("Escape");
    await reader.page.keyboard.press("Tab");
    const isInside = await reader.content.evaluate((element) => element.contains(document.activeElement));
    expect(!isInside, "the focus stays in the editor");
  },

  async "the editor completes what treeline exports"(reader) {
    await reader.open();
    await reader.write("");
    await reader.page.keyboard.type("childr");
    await reader.page.locator(".cm-tooltip-autocomplete li", { hasText: "children" }).first().waitFor();
    await reader.page.keyboard.press("Escape");
  },

  async "nothing is printed is said only when the program has ended"(reader) {
    await reader.open();
    await reader.write("await new Promise((resolve) => globalThis.addEventListener('go', resolve));");
    await reader.page.getByRole("button", { name: "Run" }).click();
    await reader.page.locator('.playground[data-state="running"]').waitFor();
    expect(!(await reader.console()).includes("prints nothing"), "it is said too early");
    await reader.page
      .frames()
      .at(-1)
      .evaluate(() => dispatchEvent(new Event("go")));
    await reader.printed("The program has run. It prints nothing.");
  },

  async "errors name the line of the program"(reader) {
    await reader.open();
    await reader.write(
      'import { createWorld, destroy } from "treeline";\n\nconst world = createWorld();\ndestroy(world, 7 as never);',
    );
    await reader.run();
    expect((await reader.console()).includes("line 4"), `it prints ${await reader.console()}`);
    await reader.write("let one = 1;\nlet two = = 2;");
    await reader.run();
    expect((await reader.console()).includes("line 2"), `it prints ${await reader.console()}`);
    await reader.write('import "nowhere";');
    await reader.run();
    expect((await reader.console()).includes('no module "nowhere"'), `it prints ${await reader.console()}`);
  },

  async "a loop without an end is ended, and the page goes on"(reader) {
    await reader.open();
    await reader.write('console.log("before");\nlet turns = 0;\nwhile (true) turns++;');
    await reader.run();
    expect((await reader.console()).includes("without a pause"), `it prints ${await reader.console()}`);
  },

  async "a program can be stopped"(reader) {
    await reader.open();
    await reader.write("let count = 0;\nsetInterval(() => console.log(++count));");
    await reader.page.getByRole("button", { name: "Run" }).click();
    await reader.printed("3");
    await reader.page.getByRole("button", { name: "Stop" }).click();
    await reader.page.locator('.playground[data-state="stopped"]').waitFor();
    expect((await reader.page.locator(".playground-frame iframe").count()) === 0, "the frame is still there");
  },

  async "a program is shared by its link alone, and runs only when the reader wants it"(reader) {
    const program = `console.log("Grüße, 木, 🌲");\n${"// a line like any other\n".repeat(2_000)}console.log("end");\n`;
    await reader.open();
    await reader.write(program);
    const fragment = await reader.shared();
    expect(fragment.length < 1_000, `the link has ${fragment.length} characters`);

    await reader.open(fragment);
    expect(
      (await reader.notice()).includes("came with the link"),
      "it does not say where the program is from",
    );
    expect((await reader.state()) === "idle", "it runs at once");
    expect((await reader.page.locator("iframe").count()) === 0, "it has a frame at once");
    await reader.run();
    const printed = await reader.console();
    expect(printed.includes("Grüße, 木, 🌲") && printed.includes("end"), `it prints ${printed}`);
    expect((await reader.shared()) === fragment, "the program is another one");
  },

  async "links that are damaged and programs that are too long get words"(reader) {
    await reader.open();
    await reader.write('console.log("short");');
    const fragment = await reader.shared();
    for (const damaged of [
      fragment.slice(0, -4),
      "#code=",
      "#code=z.!!",
      "#code=t._w",
      "#code=q.abcd",
      "#code=z.AAAA",
    ]) {
      await reader.open(damaged);
      expect((await reader.notice()).includes("damaged"), `${damaged}: ${await reader.notice()}`);
    }
    const random = Array.from({ length: 4_000 }, (_, at) => `${Math.sin(at)}`).join("\n");
    await reader.write(`/*${random}*/`);
    await reader.page.getByRole("button", { name: "Share" }).click();
    await reader.page.getByText("too long for a link").waitFor();
  },

  async "the picture of the tables shows what dump says, and follows the program"(reader) {
    await reader.open();
    await reader.write(`import { ChildOf, component, createWorld, Name, Parent, spawn, tag } from "treeline";
import { dump } from "treeline/debug";
const Place = component("Place", { x: 0, y: 0 });
const Leaf = tag("Leaf");
const world = createWorld();
const root = spawn(world, Name("Root"), Place({ x: 1.5 }));
for (let at = 0; at < 20; at++) spawn(world, Leaf, ChildOf(root), Place({ x: at }));
for (let at = 0; at < 3; at++) spawn(world, ChildOf(spawn(world, Name("Branch " + at), ChildOf(root))));
spawn(world, Parent(root), Place);
console.log(dump(world));
globalThis.more = () => spawn(world, Leaf, ChildOf(root), Place);`);
    await reader.run();
    await reader.page.locator(".tables-archetype").first().waitFor();
    const dumped = (await reader.page.locator(".playground-console pre").textContent())
      .split("\n")
      .flatMap((line) => {
        const [, number, type, rows] = /^t(\d+)\s+\[(.*?)\]\s+(\d+) rows?/.exec(line) ?? [];
        return number === undefined || rows === "0" ? [] : [{ number, type, rows }];
      });
    const shown = await tablesOf(reader.page);
    expect(dumped.length > 5, `dump has ${dumped.length} tables`);
    expect(
      shown
        .map(({ number, rows }) => `${number} ${rows}`)
        .sort()
        .join() ===
        dumped
          .map(({ number, rows }) => `${number} ${rows}`)
          .sort()
          .join(),
      `${JSON.stringify(shown)} instead of ${JSON.stringify(dumped)}`,
    );
    for (const { number, pairs } of shown) {
      const { type } = dumped.find((one) => one.number === number);
      for (const pair of pairs) expect(type.includes(pair), `t${number} has ${pair}, and in dump ${type}`);
    }
    const text = await reader.page.locator(".tables").textContent();
    for (const part of ["1.5, 0", "and 12 rows more", "Root::Branch 2", "Parent Root", "depth 2"]) {
      expect(text.includes(part), `the picture does not have ${part}`);
    }

    await reader.page
      .frames()
      .at(-1)
      .evaluate(() => globalThis.more());
    await reader.page.getByText("and 13 rows more").waitFor();
  },

  async "a program cannot reach the page, what the site stores, or servers"(reader) {
    await reader.open();
    await reader.write(`const tries = {
  page: () => parent.document.title,
  storage: () => localStorage.length,
  cookies: () => document.cookie,
};
for (const [name, attempt] of Object.entries(tries)) {
  try { attempt(); console.log(name, "reached"); } catch { console.log(name, "refused"); }
}
await fetch("${reader.url}").then(() => console.log("server reached"), () => console.log("server refused"));
console.log("done");`);
    await reader.run();
    const printed = await reader.console();
    for (const what of ["page", "storage", "cookies", "server"])
      expect(printed.includes(`${what} refused`), `it prints ${printed}`);
  },

  async "a program that leaves its page is ended"(reader) {
    await reader.open();
    await reader.write('location.href = "about:blank";');
    await reader.page.getByRole("button", { name: "Run" }).click();
    await reader.printed("has left its page");
  },

  async "what a program shows has no findings of axe-core, wide or narrow, light or dark"(reader) {
    const site = createRequire(join(root, "tooling/site/package.json"));
    const axe = readFileSync(site.resolve("axe-core/axe.min.js"), "utf8");
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 1280],
      ["light", 380],
    ]) {
      await reader.page.emulateMedia({ colorScheme });
      await reader.page.setViewportSize({ width, height: 900 });
      await reader.open("#start=query");
      await reader.run();
      await reader.page.locator(".tables-archetype").first().waitFor();
      await reader.page.evaluate(axe);
      const problems = [
        ...(await reader.page.evaluate(findings)),
        ...(await reader.page.evaluate(misplaced)),
      ];
      expect(problems.length === 0, `${colorScheme}, ${width} px: ${problems.join("; ")}`);
    }
  },

  async "examples of pages open in it"(reader) {
    await reader.page.goto(`${reader.url}guide/index.html`);
    const program = readFileSync(join(root, "docs/guide/index.md"), "utf8");
    const [, first] = /```ts\n([\s\S]*?)```/.exec(program);
    await reader.page.locator(".example").first().getByRole("link", { name: "Open in playground" }).click();
    await reader.page.waitForURL(/playground\.html#code=/);
    await reader.page.waitForFunction(() => document.querySelector(".playground .cm-content")?.textContent);
    const text = await reader.content.textContent();
    expect(text.includes(first.split("\n").at(-2)), `the editor has ${text}`);
    expect((await reader.state()) === "idle", "it runs at once");
    const notices = await reader.page.locator(".playground-notice").allTextContents();
    expect(notices.length === 0, `it warns of a program of the site: ${notices}`);
  },
};

/** Number, rows and pairs of each table that the page shows. */
function tablesOf(page) {
  return page.locator("tbody[data-table]").evaluateAll((bodies) =>
    bodies.map((body) => ({
      number: body.dataset.table,
      rows: /^\d+/.exec(body.querySelector(".tables-count").textContent.trim())[0],
      pairs: [...body.querySelectorAll(".tables-pair")].map((pair) => pair.textContent),
    })),
  );
}

/** @param folder the built site. @returns see `keep`. */
export const failedPlayground = (folder) => keep(folder, CHECKS, readerOf);
