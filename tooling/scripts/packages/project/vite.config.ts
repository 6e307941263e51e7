// How Vite bundles the fresh project, so that Node can run the bundle.

// Without the polyfill that needs a page, the bundle also runs in Node.
export default { build: { modulePreload: false } };
