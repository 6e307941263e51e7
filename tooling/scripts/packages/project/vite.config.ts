// Without the polyfill that needs a page, the bundle also runs in Node.
export default { build: { modulePreload: false } };
