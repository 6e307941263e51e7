// What is looked at in an opened page; both functions run there.

/** @returns what is wider than the window, and what of the header covers something else: a line for each. */
export function misplaced() {
  const root = document.documentElement;
  const nameOf = (element) => {
    const classes = [...element.classList].slice(0, 2).map((name) => `.${name}`);
    return `${element.localName}${classes.join("")} "${element.textContent.trim().slice(0, 30)}"`;
  };
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const lines = [];

  if (root.scrollWidth > root.clientWidth) {
    const scrollsInside = (element) => {
      const parent = element.parentElement;
      if (parent === null || parent === document.body) return false;
      return getComputedStyle(parent).overflowX !== "visible" || scrollsInside(parent);
    };
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) =>
        element.getBoundingClientRect().right + scrollX > root.clientWidth + 1 &&
        isShown(element) &&
        !scrollsInside(element),
    );
    const causes = wide.filter((element) => !wide.some((one) => one !== element && element.contains(one)));
    const names = causes.slice(0, 3).map(nameOf).join(", ");
    lines.push(`is ${root.scrollWidth} pixels wide, in a window of ${root.clientWidth}: ${names}`);
  }

  const header = document.querySelector("header.VPNav");
  if (header === null) return lines;
  const parts = [...header.querySelectorAll("a, button")].filter(isShown);
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const covers = (one, other) =>
    one.left < other.right - 1 &&
    other.left < one.right - 1 &&
    one.top < other.bottom - 1 &&
    other.top < one.bottom - 1;
  parts.forEach((part, at) => {
    if (boxes[at].right > root.clientWidth + 1)
      lines.push(`the header has ${nameOf(part)} outside of the window`);
    for (let next = at + 1; next < parts.length; next++) {
      if (part.contains(parts[next]) || !covers(boxes[at], boxes[next])) continue;
      lines.push(`the header has ${nameOf(part)} over ${nameOf(parts[next])}`);
    }
  });
  const title = document.querySelector("#VPContent h1");
  const bars = [...document.querySelectorAll(".VPNavBar, .VPLocalNav")].filter(isShown);
  const lowest = Math.max(0, ...bars.map((bar) => bar.getBoundingClientRect().bottom));
  if (title !== null && scrollY === 0 && title.getBoundingClientRect().top < lowest - 1)
    lines.push(`the header covers ${nameOf(title)}`);
  return lines;
}

/** Needs axe in the page. @param rules those to apply, or all without. @returns a line for each kind of finding. */
export async function findings(rules) {
  const { violations } = await globalThis.axe.run(document, {
    iframes: false, // examples and demos are pages of their own
    resultTypes: ["violations"],
    ...(rules === undefined ? {} : { runOnly: rules }),
  });
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.length}, first ${nodes[0].target.join(" ")} ${nodes[0].html.slice(0, 120)}`,
  );
}
