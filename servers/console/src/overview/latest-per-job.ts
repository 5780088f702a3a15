/** An object of a job, with its creation time. */
export interface OfJob {
  readonly ID: string;
  readonly Namespace: string;
  readonly JobID: string;
  readonly CreateIndex: number | bigint;
}

/** Returns the rows that are the newest of their jobs, among these and all other known rows. */
export function latestPerJob<Row extends OfJob>(
  rows: readonly Row[],
  others: readonly OfJob[],
): readonly Row[] {
  const newest = new Map<string, OfJob>();
  for (const row of [...rows, ...others]) {
    const job = JSON.stringify([row.Namespace, row.JobID]);
    const known = newest.get(job);
    if (known === undefined || row.CreateIndex > known.CreateIndex) newest.set(job, row);
  }
  const ids = new Set([...newest.values()].map(({ ID }) => ID));
  return rows.filter(({ ID }) => ids.has(ID));
}
