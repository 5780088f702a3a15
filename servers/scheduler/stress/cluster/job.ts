import { send, NoResponseError, type Addressed, type StressResponse } from './client.js';
import { absentJob, type JobState, type WriteOutcome } from './history.js';

/** The result of reading a job, or null if the server did not return it. */
export interface JobRead {
  readonly state: JobState | null;
  readonly result: StressResponse | null;
  /** Why there is no state. */
  readonly problem: string;
}

export interface JobWritten {
  readonly outcome: WriteOutcome;
  /** JobModifyIndex if it was written. */
  readonly index: number | null;
  /** Why it was not written; empty if it was, or if a different write was first. */
  readonly problem: string;
}

const task = { Name: 't', Driver: 'raw_exec', Config: { command: '/bin/true' } };

/** A job that waits for dispatches, so its registration writes the job and nothing else. */
export function waitingJob(ID: string, value: string): object {
  return {
    ...{ ID, Name: ID, Type: 'batch', Datacenters: ['dc1'] },
    Meta: { write: value },
    ParameterizedJob: {},
    TaskGroups: [{ Name: 'g', Tasks: [task] }],
  };
}

export async function readJob(server: Addressed, id: string, isStale: boolean): Promise<JobRead> {
  try {
    const response = await send(server, `/v1/job/${id}${isStale ? '?stale' : ''}`);
    if (response.status === 404) return { result: response, state: absentJob, problem: '' };
    if (response.status !== 200)
      return { result: response, state: null, problem: `${response.status} ${response.text}` };
    const job = JSON.parse(response.text) as {
      readonly JobModifyIndex: number;
      readonly Version: number;
      readonly Meta: { readonly write: string };
    };
    const state = { index: job.JobModifyIndex, version: job.Version, value: job.Meta.write };
    return { result: response, state, problem: '' };
  } catch (error) {
    return { result: null, state: null, problem: problemOf(error) };
  }
}

/** Registers a job if its JobModifyIndex is `base`, 0 for a new job. */
export async function writeJob(
  server: Addressed,
  id: string,
  value: string,
  base: number,
): Promise<JobWritten> {
  try {
    const body = { Job: waitingJob(id, value), EnforceIndex: true, JobModifyIndex: base };
    const { status, text } = await send(server, '/v1/jobs', { method: 'PUT', body });
    if (status === 200) {
      const { JobModifyIndex } = JSON.parse(text) as { readonly JobModifyIndex: number };
      return { outcome: 'written', index: JobModifyIndex, problem: '' };
    }
    if (status === 400 && text.startsWith('Enforcing job modify index'))
      return { outcome: 'refused', index: null, problem: '' };
    return { outcome: outcomeOf(status, text), index: null, problem: `${status} ${text}` };
  } catch (error) {
    const wasSent = !(error instanceof NoResponseError) || error.wasSent;
    return { outcome: wasSent ? 'unknown' : 'undone', index: null, problem: problemOf(error) };
  }
}

/** A response that says that nothing was written is trusted; any other failure may have written. */
function outcomeOf(status: number, text: string): WriteOutcome {
  if (status !== 500) return 'undone';
  return /^No cluster leader|nothing of it was kept/.test(text) ? 'undone' : 'unknown';
}

function problemOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Tallied messages must not differ in names and numbers of servers and jobs.
  return text.replace(/^.*?: /, '').replace(/127\.0\.0\.1:\d+/, 'SERVER');
}
