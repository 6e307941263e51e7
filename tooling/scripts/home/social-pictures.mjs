// Draws the picture of previews and the icon for home screens into tooling/site/pages/public. Run it when the logo or the ridge changes.
import { join } from "node:path";
import { launch } from "../browser/launch.mjs";
import { readText, root } from "../lib.mjs";
import { drawRidge } from "./ridge-picture.mjs";

const PUBLIC = "tooling/site/pages/public";
const logo = readText(`${PUBLIC}/logo.svg`);

const preview = `<style>
  body { position: relative; height: 630px; margin: 0; background: linear-gradient(#fcfbf7 30%, #e9f1ea); color: #1c2520; }
  body { font-family: system-ui, sans-serif; overflow: hidden; }
  h1 { display: flex; align-items: center; gap: 26px; margin: 0; padding: 84px 84px 0; font-size: 84px; letter-spacing: -0.035em; }
  h1 svg { width: 92px; }
  p { margin: 0; padding: 26px 84px; color: #4d5a53; font-size: 38px; }
  .ridge { position: absolute; right: -480px; bottom: 0; width: 2400px; }
  .ridge .far { fill: #d3e1d7; } .ridge .middle { fill: #93b8a3; } .ridge .near { fill: #2b6b4d; }
</style><h1>${logo} Treeline</h1><p>An ECS for trees, in TypeScript</p>${drawRidge()}`;
const icon = `<style>body { display: grid; place-items: center; height: 180px; margin: 0; background: #fcfbf7; } svg { width: 132px; }</style>${logo}`;

const { browser, missing } = await launch();
if (missing !== undefined) throw new Error(missing);
try {
  for (const [name, html, width, height] of [
    ["social.png", preview, 1200, 630],
    ["icon.png", icon, 180, 180],
  ]) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(html);
    await page.screenshot({ path: join(root, PUBLIC, name) });
  }
} finally {
  await browser.close();
}
