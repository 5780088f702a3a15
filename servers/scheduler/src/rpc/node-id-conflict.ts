/** Two connections of one node, by the addresses that they come from. */
export interface NodeIdConflict {
  readonly node: string;
  readonly retained: string;
  readonly ended: string;
}

/** Replacements of the connection of a node by another one. */
export interface Replacements {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly count: number;
}

export const noReplacements: Replacements = Object.freeze({ since: 0, count: 0 });

/** Milliseconds in which replacements count together, and in which they are told once. */
const countedTogether = 60_000;
/** A client that comes back replaces its own connection once, where that is not known to be lost. */
const tooMany = 3;

/**
 * Counts one more replacement, and tells whether it is the one that shows that there are two clients, and neither
 * gives way.
 */
export function replaceOnce(
  before: Replacements,
  now: number,
): { readonly replacements: Replacements; readonly isConflict: boolean } {
  const isLater = now - before.since >= countedTogether;
  const replacements = isLater ? { since: now, count: 1 } : { ...before, count: before.count + 1 };
  return { replacements, isConflict: replacements.count === tooMany };
}
