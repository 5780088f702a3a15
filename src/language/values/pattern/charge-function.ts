/** Charges a search for work before it is done, in units of 6 ns: at best one a character. Throws to end the search. */
export type ChargeFunction = (units: number) => void;
