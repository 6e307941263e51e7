// Presses Run at every example of an opened page, and compares what it prints with the block below it.

/**
 * Waits until the example has settled or failed, which its frame decides: see `ProgramState` of the theme. No time and no frame of the page
 * is counted.
 */
async function outcomeOf(example) {
  await example.getByRole("button", { name: "Run" }).click();
  return example.evaluate(
    (element) =>
      new Promise((resolve) => {
        const look = () => {
          const { state } = element.dataset;
          if (state !== "settled" && state !== "failed") return;
          changes.disconnect();
          const printed = element.querySelector(".example-output")?.textContent ?? "";
          const next = element.nextElementSibling;
          const expected = next?.matches(".language-text") ? next.querySelector("code").textContent : "";
          resolve({ state, printed, expected, code: decodeURIComponent(element.dataset.code) });
        };
        const changes = new MutationObserver(look);
        changes.observe(element, { attributes: true, childList: true, subtree: true, characterData: true });
        look();
      }),
  );
}

/** Node breaks long objects into lines. */
const squeezed = (text) => text.replace(/\s+/g, " ").trim();

/** @returns `{ count, problems }`: a problem is an example that fails, or prints something else than the page says. */
export async function runExamples(page) {
  const problems = [];
  const examples = await page.locator(".example").all();
  for (const example of examples) {
    const { state, printed, expected, code } = await outcomeOf(example);
    if (state === "settled" && squeezed(printed) === squeezed(expected)) continue;
    const first = code.trim().split("\n").slice(0, 3).join("\n    ");
    problems.push(
      `an example ${state === "failed" ? "fails" : "prints"}\n${printed}\n  instead of\n${expected}\n  It begins\n    ${first}`,
    );
  }
  return { count: examples.length, problems };
}
