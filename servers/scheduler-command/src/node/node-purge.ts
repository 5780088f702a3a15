import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { shortId, writeDone, type Session } from '../session.js';

/** `node purge` */
export async function purgeNode(session: Session, given: Given): Promise<void> {
  const id = await findId(session, 'node', given.required('NODE'));
  const written = await session.api.put<object>(`/v1/node/${id}/purge`, {});
  await writeDone(session, written, `${shortId(id, session)} forgotten`);
}
