/** Rows to begin with, as the page offers them, and filters to try on them. The worker makes the rows. */
export interface SampleChoice {
  readonly id: string;
  readonly title: string;
  readonly filters: readonly [string, ...string[]];
}

export const sampleChoices: readonly [SampleChoice, ...SampleChoice[]] = [
  {
    id: 'jobs',
    title: 'Jobs of a cluster (nested JSON)',
    filters: [
      'Status == "running" and "dc1" in Datacenters',
      'any TaskGroups as group { group.Count == 0 }',
      'Meta["cost.center"] in ["41", "42"] and Priority >= 50',
      'Version >= 2.0.0 and not (Stop == true)',
    ],
  },
  {
    id: 'requests',
    title: 'Requests (5,000 lines of NDJSON)',
    filters: [
      'took > 1s and status >= 500',
      'client in ["10.1.0.0/16"] and path starts with "/v1/"',
      'headers["x-retry"] is not empty',
    ],
  },
  {
    id: 'releases',
    title: 'Releases (CSV)',
    filters: ['version >= 3.0.0 and notes like "*security*"', 'downloads > 80000 and not (yanked == true)'],
  },
  {
    id: 'machines',
    title: 'Machines (100,000 rows)',
    filters: ['state == "ready" and cpu >= 64 and "payments" in tags', 'name matches "^(api|web)-[0-9]+5$"'],
  },
];
