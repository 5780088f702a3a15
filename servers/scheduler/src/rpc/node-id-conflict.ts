/** Two connections that compete for one node ID, by remote address. */
export interface NodeIdConflict {
  readonly node: string;
  readonly retained: string;
  readonly ended: string;
}

/** The recent replacements of a node's connection. */
export interface Replacements {
  /** Time in ms since 1970. */
  readonly since: number;
  readonly count: number;
}

export const noReplacements: Replacements = Object.freeze({ since: 0, count: 0 });

/** Period in which replacements are counted together and reported at most once, in ms. */
const countedTogether = 60_000;
/**
 * Number of replacements in the period that is a conflict. A reconnecting client may replace its own connection once, if its loss
 * was not noticed.
 */
const tooMany = 3;

/**
 * Records a replacement; returns true once it shows that two clients compete for the same node ID.
 */
export function replaceOnce(
  before: Replacements,
  now: number,
): { readonly replacements: Replacements; readonly isConflict: boolean } {
  const isLater = now - before.since >= countedTogether;
  const replacements = isLater ? { since: now, count: 1 } : { ...before, count: before.count + 1 };
  return { replacements, isConflict: replacements.count === tooMany };
}
