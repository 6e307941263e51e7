/** Opens what a comparison of commits plays: cells of the comparison with other libraries, and gates. */
import { type Opener, openInField } from "../comparison/processes/serve.ts";

export const openAny: Opener = async (cell) => {
  if (cell.workload !== "gate") return openInField(cell);
  // Loaded only where it is played.
  const { openGate } = await import("../gates/open.ts");
  return openGate(cell);
};
