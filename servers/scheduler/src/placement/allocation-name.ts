/** The name of an allocation: `job.group[2]`. */
export function allocationName(jobId: string, group: string, at: number): string {
  return `${jobId}.${group}[${at}]`;
}

/** The number in the brackets of a name; -1 for a name without one. */
export function nameIndex(name: string): number {
  const match = /\[(\d{1,9})\]$/.exec(name);
  return match === null ? -1 : Number(match[1]);
}

/** Gives out the lowest numbers that are not taken. */
export function* freeIndexes(taken: ReadonlySet<number>): Generator<number, never> {
  for (let at = 0; ; at += 1) if (!taken.has(at)) yield at;
}
