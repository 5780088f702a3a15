/** Returns the name of an allocation: `job.group[2]`. */
export function allocationName(jobId: string, group: string, at: number): string {
  return `${jobId}.${group}[${at}]`;
}

/** Returns the number in the brackets of a name; -1 if none exists. */
export function nameIndex(name: string): number {
  const match = /\[(\d{1,9})\]$/.exec(name);
  return match === null ? -1 : Number(match[1]);
}

/** Yields the lowest unused numbers. */
export function* freeIndexes(taken: ReadonlySet<number>): Generator<number, never> {
  for (let at = 0; ; at += 1) if (!taken.has(at)) yield at;
}

/** Assigns names to the allocations of a group, unique within one version. */
export interface GroupNames {
  /** Returns the name of a replacement: the name of the replaced allocation, unless another one has it meanwhile. */
  after(allocation: Named): string;
  /** Reserves the name of an existing allocation. Returns false if another allocation has it. */
  reserve(allocation: Named): boolean;
  /** Returns the name for an additional allocation. */
  next(): string;
}

interface Named {
  readonly Name: string;
}

/**
 * Creates the names of a group.
 *
 * @param there allocations that have a name, or pass it on to their replacement.
 * @param isCurrent whether an allocation has the version of new ones.
 */
export function createGroupNames<A extends Named>(
  jobId: string,
  group: string,
  there: readonly A[],
  isCurrent: (allocation: A) => boolean,
): GroupNames {
  const free = freeIndexes(new Set(there.map(({ Name }) => nameIndex(Name))));
  const owners = new Map(there.filter(isCurrent).map((allocation) => [allocation.Name, allocation as Named]));
  const next = (): string => allocationName(jobId, group, free.next().value);
  function reserve(allocation: Named): boolean {
    const owner = owners.get(allocation.Name) ?? allocation;
    owners.set(allocation.Name, owner);
    return owner === allocation;
  }
  return { next, reserve, after: (allocation) => (reserve(allocation) ? allocation.Name : next()) };
}
