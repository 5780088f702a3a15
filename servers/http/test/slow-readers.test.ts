import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { disconnectSlowClients } from '../src/index.js';

const closes: (() => unknown)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

/** A server with endless responses, and a manually advanced clock. */
async function start(): Promise<{ cut: string[]; connectTo: (path: string) => Socket; tick: () => void }> {
  const piece = Buffer.alloc(65_536, 'x');
  const server = createServer((request, response) => {
    if (request.url === '/quiet') response.write('nothing more for now');
    else
      new Readable({
        read() {
          this.push(piece);
        },
      }).pipe(response);
  });
  let now = 0;
  let due: (() => void)[] = [];
  const cut: string[] = [];
  const clock = {
    now: () => now,
    after(_milliseconds: number, action: () => void) {
      due.push(action);
      return () => void (due = due.filter((each) => each !== action));
    },
  };
  disconnectSlowClients(server, 3_000, clock, ({ url = '' }) => void cut.push(url));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closes.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    cut,
    connectTo(path) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      closes.unshift(() => socket.destroy());
      return socket;
    },
    tick() {
      now += 1_000;
      for (const action of due.splice(0)) action();
    },
  };
}

it('disconnects only the client that does not read', async () => {
  const { cut, connectTo, tick } = await start();
  const unread = connectTo('/unread').pause();
  let read = 0;
  const reader = connectTo('/read').on('data', (piece: Buffer) => (read += piece.length));
  const quiet = connectTo('/quiet').resume();
  const closed: string[] = [];
  for (const [name, socket] of Object.entries({ reader, quiet })) socket.on('close', () => closed.push(name));
  // The buffers of the system take in some megabytes before anybody has to read.
  for (let looks = 0; cut.length === 0 && looks < 10_000; looks += 1) {
    const before = read;
    while (read === before) await nextTurn();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    tick();
  }
  expect(cut).toEqual(['/unread']);
  expect(closed).toEqual([]);
  unread.resume();
  await once(unread, 'close');
});
