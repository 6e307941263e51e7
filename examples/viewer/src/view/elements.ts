// Makes and finds elements (`element`, `at`), and writes only what is new (`write`).

/** An element with properties and what is in it. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
}

/** The element of the page with an id. */
export function at<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** Writes a text unless it is there already: so what reads the page aloud says only what is new. */
export function write(place: Element, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}
