import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { prepareClose } from '../../src/api/kernel/requests/graceful-close.js';

async function open(server: Server): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(server, 'connection');
  return socket;
}

describe('a server that closes', () => {
  it('waits for requests under way, and for no connection that is idle or unused', async () => {
    let finish = (): void => undefined;
    const server = createServer((_request, response) => {
      // The head of the response promises to keep the connection.
      response.write('begun ');
      finish = () => void response.end('done');
    });
    const beginClose = prepareClose(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const unused = await open(server);
    const used = await open(server);
    used.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(server, 'request');
    const closed = once(server, 'close');
    server.close();
    beginClose();
    await once(unused.resume(), 'close');
    let text = '';
    used.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    finish();
    await once(used, 'close');
    expect(text).toMatch(/begun [^]*done/);
    await closed;
  });
});
