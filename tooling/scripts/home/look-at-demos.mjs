// Opens the home page of the built site, and looks when the pages on it begin: when one sees them, if motion is welcome, else at a click.
import { HUNG } from "../tests/limits.mjs";

const WINDOW = { width: 1280, height: 800 };

/** Scrolls to an element. @returns when the page has been told that it is seen, and has drawn what follows from that. */
function see(element) {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      },
      { threshold: 0.75 },
    );
    observer.observe(element);
  });
}

async function open(browser, origin, reducedMotion) {
  const page = await browser.newPage({ baseURL: origin, viewport: WINDOW, reducedMotion });
  page.setDefaultTimeout(HUNG);
  const loaded = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\/demos\/.*(?:html|js)$/.test(pathname)) loaded.push(pathname);
  });
  await page.goto("index.html");
  await page.waitForFunction(() => document.querySelector("#app")?.__vue_app__ !== undefined);
  return { page, loaded, stage: page.locator(".home-stage").first() };
}

/** @returns a line for each problem. */
export async function misbehavingDemos(browser, origin) {
  const problems = [];

  const still = await open(browser, origin, "reduce");
  await still.stage.evaluate(see);
  if ((await still.stage.locator("iframe").count()) > 0 || still.loaded.length > 0)
    problems.push(
      `index.html: ${still.loaded[0] ?? "a page"} begins by itself although motion is not welcome`,
    );
  await still.stage.getByRole("link", { name: /^Run/ }).click();
  await still.stage.locator("iframe").contentFrame().locator("canvas").first().waitFor();
  await still.page.close();

  const moving = await open(browser, origin, "no-preference");
  if (moving.loaded.length > 0) problems.push(`index.html: loads ${moving.loaded[0]} before one sees it`);
  await moving.stage.evaluate(see);
  await moving.stage.locator("iframe").contentFrame().locator("canvas").first().waitFor();
  await moving.page.close();
  return problems;
}
