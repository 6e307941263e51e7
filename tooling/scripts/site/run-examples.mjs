// Presses Run at every example of the built site, in Chromium, and compares what it prints with the block below it.
import { readdirSync } from "node:fs";
import { launch } from "../browser/launch.mjs";
import { serve } from "../browser/serve.mjs";
import { HUNG } from "../tests/limits.mjs";

/** Frames that the browser draws, after a program has been loaded, until what it has not printed counts as not printed. */
const FRAMES = 200;

/**
 * Runs one example in its page.
 *
 * @returns its output, as soon as that is the expected one and some frames have passed since its program was loaded; otherwise after many.
 */
async function outputOf(example, expected) {
  await example.getByRole("button", { name: "Run" }).click();
  await example.locator("iframe").waitFor({ state: "attached" });
  const printed = await example.evaluate(
    async (element, { expected, most }) => {
      const textOf = () => element.querySelector(".example-output").textContent.trim();
      const isLoaded = () => {
        const { URL: address, readyState } = element.querySelector("iframe").contentDocument ?? {};
        return address === "about:srcdoc" && readyState === "complete";
      };
      const isExpected = () => textOf().replace(/\s+/g, " ") === (expected || "(no output)");
      for (let frames = 0; frames < most && !(frames >= 10 && isExpected()); ) {
        await new Promise(requestAnimationFrame);
        if (isLoaded()) frames += 1;
      }
      return textOf();
    },
    { expected: squeezed(expected), most: FRAMES },
  );
  return printed === "(no output)" ? "" : printed;
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
    page.setDefaultTimeout(HUNG);
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
        const printed = await outputOf(example, expected);
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
