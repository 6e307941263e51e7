// Presses Run at every example of the built site, in Chromium, and compares what it prints with the block below it.
import { readdirSync } from "node:fs";
import { launch } from "../browser/launch.mjs";
import { serve } from "../browser/serve.mjs";

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
