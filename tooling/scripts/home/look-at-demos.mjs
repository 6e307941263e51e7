// Opens the home page of the built site, and looks when the pages on it begin: at a click, and only the one that was clicked.
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

  for (const reducedMotion of ["reduce", "no-preference"]) {
    const { page, loaded, stage } = await open(browser, origin, reducedMotion);
    await stage.evaluate(see);
    const frames = page.locator(".home-stage iframe");
    if ((await frames.count()) > 0 || loaded.length > 0)
      problems.push(`index.html: ${loaded[0] ?? "a page"} begins by itself (motion: ${reducedMotion})`);
    await stage.getByRole("link", { name: /^Run/ }).click();
    await stage.locator("iframe").contentFrame().locator("canvas").first().waitFor();
    const count = await frames.count();
    if (count !== 1) problems.push(`index.html: one click begins ${count} pages (motion: ${reducedMotion})`);
    await page.close();
  }
  return problems;
}
