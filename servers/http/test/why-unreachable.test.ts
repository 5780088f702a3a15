import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { whyUnreachable } from '../src/index.js';

/** The message for a request to a port on which `server` listens, or that was closed. */
async function sendTo(protocol: string, server: Server, isClosed = false): Promise<string> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(server.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  if (isClosed) await close();
  const error: unknown = await fetch(`${protocol}://127.0.0.1:${port}/`).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isClosed) await close();
  return whyUnreachable(error);
}

it('says what is wrong with an address in a line', async () => {
  expect(await sendTo('http', createServer(), true)).toBe('no process listens there');
  expect(await sendTo('https', createHttpServer())).toBe(
    'it does not speak TLS, so its address begins with http://',
  );
  // As a server does that was sent no handshake.
  expect(
    await sendTo(
      'http',
      createServer((socket) => socket.destroy()),
    ),
  ).toMatch(/^it hung up: .*https:/);
});

it.each([
  [
    Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    /NODE_EXTRA_CA_CERTS/,
  ],
  [new TypeError('fetch failed', { cause: new Error('bad port\nand more') }), /^bad port$/],
  [new Error('odd'), /^odd$/],
])('%s', (error, said) => {
  expect(whyUnreachable(error)).toMatch(said);
});
