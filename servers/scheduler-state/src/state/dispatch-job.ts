import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { validateId } from '@tamis/scheduler-model/job-validation.js';
import { clip, quote } from '@tamis/scheduler-model/quote.js';
import { hasJob, startChild, type StartedChild } from './child-job.js';
import { prefixRange, scanRows } from 'tamis/table';
import type { Tables } from './tables.js';
import { requireJob } from './lookups.js';
import type { Transaction } from './transaction.js';

/** A request to start a parameterised job with arguments. */
export interface Dispatch {
  readonly job: Pick<Job, 'Namespace' | 'ID'>;
  /** Base64; null if none exists. */
  readonly payload: string | null;
  readonly meta: ReadonlyMap<string, string>;
  /** Repeated dispatches with the same token return the first child. Empty for no token. */
  readonly idempotencyToken: string;
  /** Prefix of the last part of the child's ID; default: none. */
  readonly idPrefix?: string;
  /** Null for the priority of the job. */
  readonly priority: number | null;
}

/** Maximum size of a payload, in bytes. Prevents clients from storing files in the state. */
const maxPayload = 16 * 1024;

/** Separator between the ID of a parameterised job and the rest of the ID of a child. */
const dispatchInfix = '/dispatch-';

/** Starts a parameterised job. @throws SchedulerError `not-found` or `bad-request`. */
export function dispatchJob(
  transaction: Transaction,
  { job: name, payload, meta, idempotencyToken, idPrefix = '', priority }: Dispatch,
): StartedChild {
  const job = requireJob(transaction.tables, name);
  const problem = problemOf(job, payload, meta);
  if (problem !== null) throw badRequest(problem);
  const earlier = idempotencyToken === '' ? null : childWith(transaction.tables, job, idempotencyToken);
  if (earlier !== null) {
    const { ID: id, CreateIndex: jobCreateIndex } = earlier;
    return { id, jobCreateIndex, evalId: '', evalCreateIndex: 0, index: transaction.index - 1 };
  }
  const seconds = transaction.stamp() / 1_000_000_000n;
  const [wrongId] = idPrefix === '' ? [] : validateId(`${job.ID}${dispatchInfix}${idPrefix}`);
  if (wrongId !== undefined) throw badRequest(`IdPrefixTemplate: ${wrongId}`);
  const fields = {
    ID: freeId(transaction, job, `${idPrefix === '' ? '' : `${idPrefix}-`}${seconds}`),
    Dispatched: true,
    DispatchIdempotencyToken: idempotencyToken,
    Payload: payload,
    Meta: meta.size === 0 ? job.Meta : { ...job.Meta, ...Object.fromEntries(meta) },
    Priority: priority ?? job.Priority,
  };
  return startChild(transaction, job, fields, 'job-register');
}

/**
 * Returns an unused ID for a child. Two dispatches in one second may otherwise get the same ID, because it contains only eight
 * hex digits of a UUID.
 */
function freeId(transaction: Transaction, job: Job, beginning: string): string {
  const { uuid } = transaction;
  const prefix = `${job.ID}${dispatchInfix}${beginning}-`;
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const id = `${prefix}${uuid().slice(0, 8)}`;
    if (!hasJob(transaction, job.Namespace, id)) return id;
  }
  return `${prefix}${uuid()}`;
}

function problemOf(job: Job, payload: string | null, meta: ReadonlyMap<string, string>): string | null {
  const name = quote(job.ID);
  const rules = job.ParameterizedJob;
  if (rules === null || job.Dispatched) return `Specified job ${name} is not a parameterized job`;
  if (job.Stop) return `Specified job ${name} is stopped`;
  const size = payload === null ? 0 : Buffer.byteLength(payload, 'base64');
  if (rules.Payload === 'required' && size === 0) {
    return 'Payload is not provided but required by parameterized job';
  }
  if (rules.Payload === 'forbidden' && size > 0) return 'Payload provided but forbidden by parameterized job';
  if (size > maxPayload) return `Payload exceeds maximum size; ${size} > ${maxPayload}`;
  const required = rules.MetaRequired ?? [];
  const allowed = new Set([...required, ...(rules.MetaOptional ?? [])]);
  const missing = required.filter((key) => !meta.has(key));
  if (missing.length > 0) return `Dispatch did not provide required meta keys: ${listKeys(missing)}`;
  const forbidden = [...meta.keys()].filter((key) => !allowed.has(key));
  if (forbidden.length > 0) {
    return `Dispatch request included unpermitted metadata keys: ${listKeys(forbidden)}`;
  }
  return null;
}

/** Maximum number of keys in a message. */
const maxListed = 20;

function listKeys(keys: readonly string[]): string {
  const more = keys.length > maxListed ? [`and ${keys.length - maxListed} more`] : [];
  return `[${[...keys.slice(0, maxListed).map((key) => clip(key)), ...more].join(' ')}]`;
}

function childWith({ jobs }: Tables, job: Job, token: string): Job | null {
  const range = prefixRange(`${jobKey(job)}${dispatchInfix}`);
  for (const child of scanRows(jobs.primary, range, false)) {
    if (child.ParentID === job.ID && child.DispatchIdempotencyToken === token) return child;
  }
  return null;
}
