export const root: string;
export function filesBelow(folder: string, ...endings: string[]): string[];
export const frontName: string;
export function packageFolders(): string[];
export function entryPointsOf(folder: string): { entry: string; name: string; source: string }[];
