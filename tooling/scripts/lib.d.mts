// The types of what the configurations of Vitest use of `lib.mjs`.

export const root: string;
export function filesBelow(folder: string, ...endings: string[]): string[];
export const frontName: string;
export function packageFolders(): string[];
export function entryPointsOf(folder: string): { entry: string; name: string; source: string }[];
