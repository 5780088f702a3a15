/** What belongs to a job, and when it was made. */
export interface OfJob {
  readonly ID: string;
  readonly Namespace: string;
  readonly JobID: string;
  readonly CreateIndex: number | bigint;
}

/** The IDs of the newest row of each job. */
export function newestOfJobs(rows: readonly OfJob[]): ReadonlySet<string> {
  const newest = new Map<string, OfJob>();
  for (const row of rows) {
    const job = JSON.stringify([row.Namespace, row.JobID]);
    const known = newest.get(job);
    if (known === undefined || row.CreateIndex > known.CreateIndex) newest.set(job, row);
  }
  return new Set([...newest.values()].map(({ ID }) => ID));
}
