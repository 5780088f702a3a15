import { readJsonStream } from '../api/json-stream.js';
import { createTerminalText } from '../terminal/terminal-text.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';

/** A frame of the stream; an empty one is a heartbeat. */
interface Frame {
  readonly Data?: string;
}

/** `monitor`: prints the live log. */
export async function monitor(session: Session, given: Given): Promise<void> {
  const { api, out } = session;
  const node = given.text('node-id');
  const pieces = await api.stream('/v1/agent/monitor', {
    log_level: given.text('log-level'),
    log_json: session.isJson,
    server_id: given.text('server-id'),
    node_id: node === null ? null : await findId(session, 'node', node),
  });
  const print = createTerminalText();
  for await (const frame of readJsonStream(pieces)) {
    const { Data } = frame as Frame;
    if (Data === undefined) continue;
    const bytes = Buffer.from(Data, 'base64');
    await out.write(out.isTerminal ? print.add(bytes) : bytes);
  }
  await session.err.write('The agent has ended the stream.\n');
}
