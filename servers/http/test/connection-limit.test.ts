import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { limitConnections } from '../src/index.js';

it('refuses connections beyond the limit, and counts those that end', async () => {
  const server = createServer((_request, response) => response.end('served'));
  limitConnections(server, 2);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const send = async (socket: Socket): Promise<string> => {
    socket.end('GET / HTTP/1.0\r\n\r\n');
    return text(socket);
  };
  const first = await open();
  const second = await open();
  const third = await open();
  const refusal = await text(third);
  expect(refusal).toMatch(/^HTTP\/1\.1 429 /);
  expect(refusal).toMatch(
    /Your IP is issuing too many concurrent connections, please rate limit your calls\n$/,
  );
  expect(await send(second)).toMatch(/served$/);
  // Its place is free again once the server has seen it close.
  while (
    (await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))) > 1
  ) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await send(await open())).toMatch(/served$/);
  first.destroy();
  server.close();
});
