import { parseGoDuration, writeJson } from '@tamis/http';
import type { Node } from '@tamis/scheduler-model/node.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import type { AllocationRow } from '../views/allocation-table.js';
import { exitCodes } from '../exit-codes.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { shortId, type Session } from '../session.js';
import { UsageError } from '../usage-error.js';
import { requireSwitch } from './node-eligibility.js';

const hour = 3_600_000_000_000n;

/** `node drain` */
export async function drainNode(session: Session, given: Given): Promise<number> {
  const { api, isJson, out } = session;
  const isBegun = requireSwitch(given);
  const spec = isBegun ? { Deadline: deadlineOf(given), IgnoreSystemJobs: given.has('ignore-system') } : null;
  const id = await findId(session, 'node', given.required('NODE'));
  const MarkEligible = !isBegun && !given.has('keep-ineligible');
  const written = await api.put<{ readonly Warnings?: string }>(`/v1/node/${id}/drain`, {
    NodeID: id,
    DrainSpec: spec,
    MarkEligible,
  });
  const name = shortId(id, session);
  if (isJson) await out.write(`${writeJson(written)}\n`);
  else if (isBegun) await out.write(`${name} drains\n`);
  else await out.write(`${name} drains no more${MarkEligible ? ' and takes new work' : ''}\n`);
  const warning = written.Warnings ?? '';
  if (warning !== '') await session.err.write(`warning: ${sanitizeForTerminal(warning)}\n`);
  return isBegun && warning === '' && !given.has('detach') ? watchDrain(session, id) : 0;
}

/** Returns the deadline in ns; 0 for none, negative for immediately. */
function deadlineOf(given: Given): bigint {
  const chosen = ['deadline', 'no-deadline', 'force'].filter((flag) => given.has(flag));
  if (chosen.length > 1) throw new UsageError(`--${chosen.join(' and --')} exclude each other`);
  if (given.has('force')) return -1n;
  if (given.has('no-deadline')) return 0n;
  const written = given.text('deadline');
  const deadline = written === null ? hour : parseGoDuration(written);
  if (deadline !== null && deadline > 0n) return deadline;
  throw new UsageError(
    `--deadline is a time such as 30m, not ${JSON.stringify((written ?? '').slice(0, 40))}`,
  );
}

type Leaving = Pick<AllocationRow, 'ID' | 'Name' | 'ClientStatus' | 'DesiredStatus'>;
const shouldYield = ({ ClientStatus }: Leaving): boolean =>
  ['complete', 'failed', 'lost'].includes(ClientStatus);

/** Prints stopping allocations until the drain is complete. */
async function watchDrain(session: Session, id: string): Promise<number> {
  const { api, err, isJson, out, palette, signal } = session;
  const reported = isJson ? err : out;
  const seen = new Map<string, string>();
  try {
    for (let index = '0'; ;) {
      const { body: node, index: next } = await api.get<Node>(`/v1/node/${id}`, {
        index,
        wait: index === '0' ? null : '2s',
      });
      const { body: all } = await api.get<readonly Leaving[]>(`/v1/node/${id}/allocations`);
      for (const one of all) {
        const status = shouldYield(one)
          ? one.ClientStatus
          : one.DesiredStatus === 'stop'
            ? 'leaves'
            : 'stays for now';
        if (seen.get(one.ID) === status || (shouldYield(one) && !seen.has(one.ID))) continue;
        seen.set(one.ID, status);
        await reported.write(`  ${sanitizeForTerminal(one.Name)} (${shortId(one.ID, session)}) ${status}\n`);
      }
      if (node.DrainStrategy === null) break;
      index = next;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    await err.write(`\nStopped watching; the drain goes on: scheduler node status ${shortId(id, session)}\n`);
    return exitCodes.interrupted;
  }
  await reported.write(`${palette.good('done')}: the node is empty\n`);
  return 0;
}
