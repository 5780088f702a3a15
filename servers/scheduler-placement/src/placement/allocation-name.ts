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

/** The names of what a group gets, none of them twice among those of one version. */
export interface GroupNames {
  /** For what takes the place of an allocation: its name, unless another one has it by now. */
  after(allocation: Named): string;
  /** Lets an allocation go on under its name; false where another one has it. */
  reserve(allocation: Named): boolean;
  /** For what takes nothing's place. */
  next(): string;
}

interface Named {
  readonly Name: string;
}

/**
 * @param there what has a name already, or leaves one to what takes its place.
 * @param isCurrent whether an allocation is of the version that new ones are of.
 */
export function createGroupNames<A extends Named>(
  jobId: string,
  group: string,
  there: readonly A[],
  isCurrent: (allocation: A) => boolean,
): GroupNames {
  const free = freeIndexes(new Set(there.map(({ Name }) => nameIndex(Name))));
  const owners = new Map(
    there.filter(isCurrent).map((allocation) => [allocation.Name, allocation as Named]),
  );
  const next = (): string => allocationName(jobId, group, free.next().value);
  function reserve(allocation: Named): boolean {
    const owner = owners.get(allocation.Name) ?? allocation;
    owners.set(allocation.Name, owner);
    return owner === allocation;
  }
  return { next, reserve, after: (allocation) => (reserve(allocation) ? allocation.Name : next()) };
}
