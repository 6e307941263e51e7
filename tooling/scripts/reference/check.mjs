// Checks what the reference is made from: topics, the version of each export, who throws which code, costs, and examples. `--accept` enters new exports
// into tooling/api/since.json.
import { problemsOfCosts } from "./costs.mjs";
import { allExports } from "./exports.mjs";
import { problemsOfExamples } from "./programs.mjs";
import { acceptSince, problemsOfSince } from "./since.mjs";
import { problemsOfThrows } from "./throws.mjs";
import { problemsOfTopics } from "./topics.mjs";

if (process.argv.includes("--accept")) acceptSince();
const all = [...allExports().values()];
const problems = [
  ...problemsOfTopics(all),
  ...problemsOfSince(),
  ...problemsOfCosts(all),
  ...problemsOfThrows(),
  ...(await problemsOfExamples(all)),
];
for (const problem of problems) console.error(`reference: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(`reference: topics, versions, costs, errors and examples of ${all.length} exports are right`);
