// Which examples of the page an example continues (`programBefore`), and all (`programOfPage`).

/** Where the text of an example is: the page has it once, and later examples and games read it there. */
const EXAMPLES = ".example[data-code]";

/** The examples of the page that come before an element, as one program. */
export function programBefore(element: Element): string {
  return [...document.querySelectorAll<HTMLElement>(EXAMPLES)]
    .filter((one) => (element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0)
    .map(textOf)
    .join("\n");
}

/** All examples of the page as one program. */
export function programOfPage(): string {
  return [...document.querySelectorAll<HTMLElement>(EXAMPLES)].map(textOf).join("\n");
}

const textOf = (example: HTMLElement): string => decodeURIComponent(example.dataset.code!);
