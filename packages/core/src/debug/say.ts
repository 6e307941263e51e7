/** Is told of each law that is broken: its number, and what breaks it. */
export type Say = (story: string) => void;
