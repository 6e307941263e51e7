// Which examples the site shows as pages of their own: builds each into public/demos/<name>/ of the pages, with a base to match.

/**
 * Builds the pages of the gallery. Called by `npm run docs`, and by `--serve` while the server already runs.
 *
 * @param _target the folder for them: each is below it, as `<name>/index.html`, and is served at /demos/<name>/.
 */
export async function buildDemos(_target) {}
