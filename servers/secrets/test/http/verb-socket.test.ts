import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { VerbSocket } from '../../src/http/verb-socket.js';

const ended: (() => void)[] = [];
afterEach(() => ended.splice(0).forEach((end) => end()));

/** Returns both ends of a connection whose client has begun to send 1 MB. */
async function openUpload(
  server: Server,
): Promise<{ readonly raw: Socket; readonly connection: VerbSocket }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(
    Buffer.concat([Buffer.from('POST / HTTP/1.1\r\nContent-Length: 1048576\r\n\r\n'), oneMegabyte]),
  );
  const [raw] = await accepted;
  ended.push(() => void (client.destroy(), raw.destroy()));
  return { raw, connection: new VerbSocket(raw, () => () => undefined) };
}

const oneMegabyte = Buffer.alloc(1_048_576, 'x');
/** Maximum size of one read of the runtime, in bytes. */
const oneRead = 65_536;

async function listen(): Promise<Server> {
  const server = createServer({ highWaterMark: 0 }).listen(0, '127.0.0.1');
  ended.push(() => void server.close());
  await once(server, 'listening');
  return server;
}

/** Waits until the system has reported everything that has arrived. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a connection', () => {
  it('reads nothing ahead of its reader', async () => {
    const { raw, connection } = await openUpload(await listen());
    await settle();
    connection.once('data', () => connection.pause());
    await once(connection, 'data');
    await settle();
    expect(raw.bytesRead).toBeLessThanOrEqual(oneRead);
  });

  it('drops refused input while few others do, else reads no more of it', async () => {
    const server = await listen();
    const uploads = [];
    for (let at = 0; at < 5; at += 1) uploads.push(await openUpload(server));
    for (const { connection } of uploads) connection.dropRest();
    const last = uploads.pop();
    for (const { raw } of uploads) while (raw.bytesRead < oneMegabyte.length) await settle();
    expect(last?.raw.bytesRead).toBeLessThanOrEqual(oneRead);
    // A connection that has ended makes room for the next one.
    uploads[0]?.connection.destroy();
    const next = await openUpload(server);
    next.connection.dropRest();
    while (next.raw.bytesRead < oneMegabyte.length) await settle();
  });
});
