// A loader for webpack that strips types.
const { transform } = require("esbuild");

module.exports = function stripTypes(code, map) {
  const done = this.async();
  const from = map
    ? `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}`
    : "";
  transform(code + from, { loader: "ts", sourcemap: true, sourcefile: this.resourcePath }).then(
    (made) => done(null, made.code, JSON.parse(made.map)),
    done,
  );
};
