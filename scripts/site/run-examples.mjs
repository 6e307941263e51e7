// Presses Run at every example of the built site, in Chromium, and compares what it prints with the block below it.
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { findChromium } from "../chromium.mjs";
import { tool } from "../tools.mjs";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};
const FLAGS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

function serve(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(decodeURI(new URL(request.url, "http://localhost").pathname)));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    return createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** Chromium of the machine, or else the one of the package registry. */
async function launch() {
  const { module: playwright, missing } = await tool("playwright-core", "site");
  if (missing !== undefined) return { missing };
  const installed = findChromium();
  if (installed.path !== undefined) {
    return { browser: await playwright.chromium.launch({ executablePath: installed.path, args: FLAGS }) };
  }
  const { module: chromium } = await tool("@sparticuz/chromium", "site");
  try {
    const executablePath = await chromium.executablePath();
    return {
      browser: await playwright.chromium.launch({ executablePath, args: [...chromium.args, ...FLAGS] }),
    };
  } catch (error) {
    return { missing: `no browser starts here (${String(error).split("\n")[0]}), and ${installed.missing}` };
  }
}

/** Runs one example in its page. @returns its output, once it has been the same for a while. */
async function outputOf(example) {
  await example.getByRole("button", { name: "Run" }).click();
  const output = example.locator(".example-output");
  let last;
  for (let same = 0; same < 3; ) {
    await example.page().waitForTimeout(100);
    const text = (await output.textContent()).trim();
    same = text === last ? same + 1 : 0;
    last = text;
  }
  return last === "(no output)" ? "" : last;
}

/** @param folder the built site. @returns a line for each example that prints something else than the page says. */
export async function failedExamples(folder) {
  const { browser, missing } = await launch();
  if (missing !== undefined) {
    console.log(`docs: THE EXAMPLES WERE NOT RUN IN A BROWSER: ${missing}`);
    return [];
  }
  const server = await serve(folder);
  const problems = [];
  let count = 0;
  try {
    const page = await browser.newPage();
    const paths = readdirSync(folder, { recursive: true }).map((path) => path.replaceAll("\\", "/"));
    for (const path of paths
      .filter((one) => /^(?:guide|how-to|coming-from|concepts)\/.*\.html$/.test(one))
      .sort()) {
      await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
      for (const example of await page.locator(".example").all()) {
        count += 1;
        const expected = await example.evaluate((element) => {
          const next = element.nextElementSibling;
          return next?.matches(".language-text") ? next.querySelector("code").textContent : "";
        });
        const printed = await outputOf(example);
        if (squeezed(printed) !== squeezed(expected)) {
          problems.push(`${path}: prints\n${printed}\n  instead of\n${expected}`);
        }
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  console.log(`docs: ${count} examples ran in Chromium`);
  return problems;
}

/** Node breaks long objects into lines. */
const squeezed = (text) => text.replace(/\s+/g, " ").trim();
