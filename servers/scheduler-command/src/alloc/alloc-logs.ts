import { readJsonStream } from '../api/json-stream.js';
import { createTerminalText, type TerminalText } from '../terminal/terminal-text.js';
import { CommandError } from '../command-error.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { findTail } from './log-tail.js';
import { readAllocation, type AllocationView } from './alloc-status.js';

/** Number of earlier lines that a follower shows. */
const followedTail = 100;

/** `alloc logs`: raw bytes in a pipe, escaped output on a terminal. */
export async function printLogs(session: Session, given: Given): Promise<void> {
  const { api, out } = session;
  const follow = given.has('follow');
  const tail = given.count('tail') ?? (follow ? followedTail : null);
  const id = await findId(session, 'allocation', given.required('ALLOC'));
  const log = {
    task: given.argument('TASK') ?? onlyTask(await readAllocation(session, id)),
    type: given.has('stderr') ? 'stderr' : 'stdout',
  };
  const path = `/v1/client/fs/logs/${id}`;
  const start = tail === null ? { origin: 'start', offset: 0 } : await findTail(api, path, log, tail);
  const parameters = { ...log, follow, ...start };
  const print = out.isTerminal && !given.has('raw') ? createTerminalText() : null;
  try {
    // A follower uses frames, because these show that an idle stream is alive.
    if (follow) await writeFrames(session, await api.stream(path, parameters), print);
    else
      for await (const piece of await api.stream(path, { ...parameters, plain: true }))
        await write(session, piece, print);
  } finally {
    if (print !== null) await out.write(print.end());
  }
}

async function write({ out }: Session, piece: Uint8Array, print: TerminalText | null): Promise<void> {
  await out.write(print === null ? piece : print.add(piece));
}

interface Frame {
  readonly Data?: string;
}

async function writeFrames(
  session: Session,
  pieces: AsyncIterable<Uint8Array>,
  print: TerminalText | null,
): Promise<void> {
  for await (const frame of readJsonStream(pieces)) {
    const { Data } = frame as Frame;
    if (Data !== undefined) await write(session, Buffer.from(Data, 'base64'), print);
  }
}

/** Returns the only task of an allocation. @throws CommandError if there are several */
function onlyTask({ Job: job, TaskGroup }: AllocationView): string {
  const group = (job?.TaskGroups ?? []).find(({ Name }) => Name === TaskGroup);
  const names = (group?.Tasks ?? []).map(({ Name }) => Name);
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new CommandError(
    `Add a task after the allocation: one of ${names.map((name) => JSON.stringify(name)).join(', ')}`,
  );
}
