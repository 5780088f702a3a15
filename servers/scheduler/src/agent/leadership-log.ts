import type { Logger } from 'pino';
import type { Leader, Leadership } from '@tamis/scheduler-state/cluster/leadership.js';

/** Logs each change of leadership once. */
export function logLeadership(
  { current, subscribe }: Pick<Leadership, 'current' | 'subscribe'>,
  log: Pick<Logger, 'info'>,
): void {
  let last: Leader = { location: 'nobody' };
  const look = (): void => {
    const now = current();
    if (keyOf(now) === keyOf(last)) return;
    if (last.location === 'here') log.info({ term: last.term }, 'this server leads no more');
    if (now.location === 'here') log.info({ term: now.term }, 'this server leads');
    else if (now.location === 'there') log.info({ ...now.server, term: now.term }, 'another server leads');
    else log.info('no server leads');
    last = now;
  };
  look();
  subscribe(look);
}

function keyOf(leader: Leader): string {
  return leader.location === 'nobody' ? '' : `${leader.location} ${leader.server.name} ${leader.term}`;
}
