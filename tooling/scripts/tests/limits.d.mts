// The type of `HUNG`.

export const HUNG: number;
