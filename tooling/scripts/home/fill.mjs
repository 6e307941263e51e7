// Writes what the home page shows of results in place of its marks: `<!-- home: cost -->` and the like.
import { filesBelow, readText } from "../lib.mjs";
import { drawCost, shortTime } from "./cost-picture.mjs";
import { lastFigures } from "./figures.mjs";
import { drawRidge } from "./ridge-picture.mjs";

const MARK = /<!-- home: ([\w-]+) -->/g;

const factor = (part) => (part >= 10 ? Math.round(part) : part.toPrecision(2));
const dagger = ({ name, isHandKept }) => `${name}${isHandKept ? "&nbsp;†" : ""}`;

/** The picture, what it says in a sentence, and its numbers. */
function costSection({ cost }) {
  const { lines, parents, compiled } = cost;
  const own = lines.find(({ isOwn, isDashed }) => isOwn && !isDashed);
  const natural = lines.find(({ isDashed }) => isDashed);
  const growth = lines.filter(({ splits }) => splits).map(({ times }) => times.at(-1) / times[0]);
  const least = factor(Math.min(...growth));
  const most = factor(Math.max(...growth));
  const range = (times) => `${shortTime(Math.min(...times))} to ${shortTime(Math.max(...times))}`;
  const head = parents.map((count) => `<th scope="col">${count.toLocaleString("en")}</th>`).join("");
  const rows = lines.map(
    ({ label, how, isDashed, times }) =>
      `<tr><th scope="row">${isDashed ? "Treeline, " : ""}${label}${how === undefined ? "" : `, ${how}`}</th>${times.map((time) => `<td>${shortTime(time)}</td>`).join("")}</tr>`,
  );
  return [
    `<p>One loop over the same 100,000 children while they have more and more parents. With a table or an array for each parent it becomes ${least} to ${most} times slower, however fast it was with one. In Treeline, children of all parents share their columns.</p>`,
    `<figure class="cost">${drawCost(cost)}`,
    `<figcaption>Nanoseconds for each child, its parents in random order, in a process that also ran other loops; both scales logarithmic, lower is better. Treeline by loops over columns: ${range(own.times)}; by <code>each</code>, as in the program: ${range(natural.times)}, or ${range(compiled)} with the <a href="%how-to/compiler.html">compiler</a>. * In C, on another machine; its storage <code>Parent</code> has no table for each parent and takes ${shortTime(cost.flecsParent)}.</figcaption>`,
    `<details><summary>The same as a table</summary><div class="home-scroll" tabindex="0" role="region" aria-label="Nanoseconds for each child"><table><thead><tr><th scope="col">parents</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div></details></figure>`,
  ].join("");
}

/** A row for each task: first those in which Treeline is the fastest library, then the others, both as they are measured. */
function speedsTable({ speeds, host, machine, date }) {
  const lead = ({ own, library }) => library.time / own;
  const rows = [...speeds].sort((one, other) => lead(other) - lead(one));
  const most = Math.max(...rows.flatMap(({ own, library }) => [own / library.time, library.time / own]));
  const bar = (part) =>
    `<span class="bar" style="--part:${(Math.log(part) / Math.log(most)).toFixed(3)}"></span>`;
  const body = rows.map(({ label, piece, own, library, byHand }) => {
    const isAhead = own <= library.time;
    const verdict = isAhead
      ? `${factor(library.time / own)} × faster`
      : `${factor(own / library.time)} × slower`;
    return `<tr role="row" class="${isAhead ? "is-ahead" : "is-behind"}"><th scope="row" role="rowheader">${label} <small>ns per ${piece}</small></th><td role="cell" class="own">${shortTime(own)}</td><td role="cell" class="library">${shortTime(library.time)} <small>${dagger(library)}</small></td><td role="cell" class="hand">${byHand === undefined ? "" : shortTime(byHand.time)}</td><td role="cell" class="verdict">${bar(isAhead ? library.time / own : own / library.time)}${verdict}</td></tr>`;
  });
  const move = speeds.find(({ piece }) => piece === "move");
  return `<div class="home-scroll" tabindex="0" role="region" aria-label="Speeds"><table class="speeds" role="table"><thead><tr role="row"><th scope="col">task</th><th scope="col">Treeline</th><th scope="col">best other library</th><th scope="col">best hand-written</th><th scope="col" class="verdict">Treeline is</th></tr></thead><tbody>${body.join("")}</tbody></table></div><p class="home-note">${host}, ${machine}, ${date}, in a process of its own, or in one that also runs other work: whichever is worse for Treeline. Its default storage is <code>ChildOf</code>; with <code>Parent</code>, moving to another parent takes ${shortTime(move.otherStorage)}. A new component, tag or parent moves a row here, and sets a number elsewhere: that is what the last rows pay for the first ones. Hand-written: the fastest loop that was written for this task only. † has no relations: parents and children are in a list that the benchmark keeps.</p>`;
}

/** Sizes as bars; budgets that `npm run check:size` enforces. */
function sizesList({ sizes }) {
  const most = Math.max(...sizes.map(({ bytes }) => bytes));
  const rows = sizes.map(
    ({ label, bytes }) =>
      `<li><span>${label}</span><span class="size">${Math.ceil(bytes / 1000)} kB</span><span class="bar" style="--part:${(bytes / most).toFixed(3)}"></span></li>`,
  );
  return `<ol class="sizes">${rows.join("")}</ol>`;
}

/** A link to each page of docs/coming-from, by the name in its title. */
function comingFrom() {
  const links = filesBelow("docs/coming-from", ".md")
    .filter((path) => !path.endsWith("/index.md"))
    .map((path) => {
      const name = /^# Coming from (.*)$/m.exec(readText(path))?.[1];
      if (name === undefined) throw new Error(`home: ${path} is not titled "Coming from"`);
      return `<li><a href="%${path.slice("docs/".length).replace(/\.md$/, ".html")}">${name}</a></li>`;
    });
  return `<ul class="home-chips">${links.join("")}</ul>`;
}

const PARTS = {
  ridge: drawRidge,
  cost: costSection,
  speeds: speedsTable,
  sizes: sizesList,
  "coming-from": comingFrom,
};

/**
 * @param text the page as it is written.
 * @param base where the site will be, such as "/treeline/".
 * @returns the page with pictures and numbers in place of its marks. @throws for an unknown mark, and if a number is missing.
 */
export function withFigures(text, base = process.env.SITE_BASE ?? "/", figures = lastFigures()) {
  return text.replace(MARK, (_, name) => {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`home: nothing is called ${name}`);
    return part(figures).replaceAll('href="%', `href="${base}`);
  });
}
