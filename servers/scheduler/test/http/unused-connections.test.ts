import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { watchUnusedConnections } from '../../src/http/unused-connections.js';

async function open(server: Server): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(server, 'connection');
  return socket;
}

describe('connections that have sent nothing', () => {
  it('do not hold a server that closes, and those that are being answered do', async () => {
    let finish = (): void => undefined;
    const server = createServer((_request, response) => {
      finish = () => void response.end('done');
    });
    const closeUnused = watchUnusedConnections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const unused = await open(server);
    const used = await open(server);
    used.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(server, 'request');
    const closed = once(server, 'close');
    server.close();
    closeUnused();
    await once(unused.resume(), 'close');
    finish();
    const [answer] = (await once(used, 'data')) as [Buffer];
    expect(answer.toString()).toContain('done');
    used.end();
    await closed;
  });
});
