const root = 'sys/token';
const minute = 60_000;
/** Number of digits for the minutes since 1970. Enough for any date, so that names sort by time. */
const minuteDigits = 10;

/** Storage paths of tokens. Names are keyed hashes, so that a path reveals neither the token nor its accessor. */
export const tokenPaths = {
  salt: `${root}/salt`,
  batchKey: `${root}/batch-key`,
  entry: (hash: string): string => `${root}/id/${hash}`,
  entries: `${root}/id/`,
  generation: `${root}/generation`,
  /** The oldest generation whose batch tokens can still be valid. */
  oldestBatch: `${root}/oldest-batch`,
  groupEnds: `${root}/ended/`,
  accessor: (hash: string): string => `${root}/accessor/${hash}`,
  children: (parent: string): string => `${root}/parent/${parent}/`,
  child: (parent: string, hash: string): string => `${root}/parent/${parent}/${hash}`,
  identity: (identity: string): string => `${root}/identity/${identity}/`,
  ofIdentity: (identity: string, hash: string): string => `${root}/identity/${identity}/${hash}`,
  /** Index of all tokens by the minute of their expiry, for sweeps. */
  ends: `${root}/end/`,
  endsIn: (minutes: number): string => `${root}/end/${String(minutes).padStart(minuteDigits, '0')}/`,
  end: (expiresAt: number, hash: string): string => `${tokenPaths.endsIn(minuteOf(expiresAt))}${hash}`,
} as const;

export function minuteOf(time: number): number {
  return Math.floor(time / minute);
}

/** Returns the last segment of a path. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
