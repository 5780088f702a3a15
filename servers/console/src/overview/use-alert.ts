import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { ApiFailure } from '../api/api-failure.js';
import { clauseText } from '../detail/clause-text.js';
import type { FacetResponse } from '../lists/facets.js';
import { useReading } from '../live/use-reading.js';
import type { Alert, AlertRow } from './alert.js';
import { failedDeployments } from './alerts.js';
import { latestPerJob } from './latest-per-job.js';

/** Maximum number of rows read; the others are only counted. */
const maxRead = 50;
/** Maximum deployments checked for a successor of a failed one. */
const maxFollowing = 500;
/** Interval between requests in ms: some filters scan every allocation. */
const interval = 5_000;

/** The state of an alert. */
export interface FoundAlert<Row> {
  /** Null while unknown. */
  readonly rows: readonly Row[] | null;
  readonly count: number;
  readonly failure: ApiFailure | null;
}

/** Returns the rows that need attention, kept up to date. */
export function useAlert<Row extends AlertRow>(alert: Alert<Row>): FoundAlert<Row> {
  const { list, filter, sort, topic, countedBy } = alert;
  const query = { ...alert.query, filter };
  const params = { path: `/v1/${list}`, topics: [topic], interval };
  const found = useReading<readonly Row[]>({
    ...params,
    query: { ...query, sort, per_page: String(maxRead) },
    isList: true,
  });
  const more = useReading<FacetResponse>(
    found.nextToken === null ? null : { ...params, query: { ...query, facets: countedBy } },
  );
  const { value: rows, failure } = found;
  const total = found.nextToken === null ? 0 : (more.value?.Total ?? 0);
  return { rows, count: Math.max(rows?.length ?? 0, total), failure };
}

/**
 * Returns failed deployments that are the latest of their jobs. Those with a later deployment need no attention. Only the newest
 * failures are checked and counted: for older ones the number of successors is unknown.
 */
export function useFailedDeployments(): FoundAlert<Deployment> {
  const found = useAlert(failedDeployments);
  const jobs = new Map(found.rows?.map((row) => [JSON.stringify([row.Namespace, row.JobID]), row]));
  const clauses = [...jobs.values()].map(
    ({ Namespace, JobID }) => `(${clauseText(['JobID'], JobID)} and ${clauseText(['Namespace'], Namespace)})`,
  );
  const { list, topic, sort, query } = failedDeployments;
  const following = useReading<readonly Deployment[]>(
    clauses.length === 0
      ? null
      : {
          path: `/v1/${list}`,
          topics: [topic],
          interval,
          query: { ...query, sort, filter: clauses.join(' or '), per_page: String(maxFollowing) },
          isList: true,
        },
  );
  if (found.rows === null || found.rows.length === 0) return found;
  if (following.value === null) return { ...found, rows: following.failure === null ? null : found.rows };
  const rows = latestPerJob(found.rows, following.value);
  return { ...found, rows, count: rows.length };
}
