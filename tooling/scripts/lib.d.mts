export const root: string;
export function filesBelow(folder: string, ...endings: string[]): string[];
