import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { shortId, writeDone, type Session } from '../session.js';
import { UsageError } from '../usage-error.js';

/** `node eligibility` */
export async function setEligibility(session: Session, given: Given): Promise<void> {
  const isEligible = requireSwitch(given);
  const id = await findId(session, 'node', given.required('NODE'));
  const Eligibility = isEligible ? 'eligible' : 'ineligible';
  const written = await session.api.put<object>(`/v1/node/${id}/eligibility`, { NodeID: id, Eligibility });
  const reported = isEligible ? 'takes new work' : 'takes no new work';
  await writeDone(session, written, `${shortId(id, session)} ${reported}`);
}

/** Returns whether `--enable` was given instead of `--disable`. @throws UsageError if neither or both are given */
export function requireSwitch(given: Given): boolean {
  if (given.has('enable') === given.has('disable')) throw new UsageError('Which one: --enable or --disable?');
  return given.has('enable');
}
