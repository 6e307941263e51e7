export const HUNG: number;
