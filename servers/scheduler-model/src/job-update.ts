import type { Job } from './job.js';
import { quote } from './quote.js';

/** Returns why a stored job cannot become this one, in the order of the original scheduler's checks; null if it can. */
export function updateProblem(stored: Job, job: Job): string | null {
  if (stored.Type !== job.Type) {
    return `cannot update job from type ${quote(stored.Type)} to ${quote(job.Type)}`;
  }
  const changed =
    kindProblem('periodic', stored.Periodic !== null, job.Periodic !== null) ??
    kindProblem('parameterized', awaitsDispatch(stored), awaitsDispatch(job));
  if (changed !== null) return changed;
  return stored.Dispatched === job.Dispatched ? null : "field 'Dispatched' is read-only";
}

function kindProblem(kind: string, was: boolean, is: boolean): string | null {
  if (was === is) return null;
  return was
    ? `cannot update ${kind} job to being non-${kind}`
    : `cannot update non-${kind} job to being ${kind}`;
}

function awaitsDispatch({ ParameterizedJob, Dispatched }: Job): boolean {
  return ParameterizedJob !== null && !Dispatched;
}
