import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { noForwardedFor } from '../../src/http/peer.js';
import { rootToken, startServer, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
afterEach(() => server.close());

/** The response to the lines of a head, as one string. */
function send(...lines: readonly string[]): Promise<string> {
  const { port } = new URL(server.addresses[0]!);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.end([...lines, 'Connection: close', '', ''].join('\r\n'));
  });
}
const get = 'GET /v1/auth/token/lookup-self HTTP/1.1';
const token = `X-Secrets-Token: ${rootToken}`;

describe('headers', () => {
  it('beyond the limit are refused, not left out', async () => {
    server = await startServer();
    const others = (count: number): readonly string[] => Array<string>(count).fill('A: b');
    expect(await send(get, 'Host: localhost', ...others(1_997), token)).toMatch(/^HTTP\/1\.1 200 /);
    for (const count of [1_998, 1_999, 2_500]) {
      const response = await send(get, 'Host: localhost', ...others(count), token);
      expect(response).toMatch(/^HTTP\/1\.1 431 /);
      expect(response).toContain('{"errors":["the request has too many headers"]}');
      expect(response).not.toContain('policies');
    }
  });

  it('of responses name the request, also of a rejected one', async () => {
    server = await startServer();
    const named = /\r\nX-Secrets-Request-Id: ([0-9a-f-]{36})\r\n/;
    const read = await send(get, 'Host: localhost', token);
    expect(JSON.parse(read.slice(read.indexOf('{')))).toMatchObject({ request_id: named.exec(read)?.[1] });
    const refused = await send(get, 'Host: localhost');
    const [, id] = named.exec(refused) ?? [];
    expect(refused).toMatch(/^HTTP\/1\.1 403 /);
    expect(server.logger.lines.map(({ fields }) => fields['request_id'])).toEqual([id]);
    for (const other of ['GET /v1/none HTTP/1.1', 'POST /v1/none/ HTTP/1.1', 'GET /nowhere HTTP/1.1'])
      expect(await send(other, 'Host: localhost')).toMatch(named);
    expect(await send('GET /ui/ HTTP/1.1', 'Host: localhost')).not.toMatch(named);
  });

  it('name one host', async () => {
    server = await startServer();
    for (const hosts of [
      ['Host: localhost', 'Host: localhost'],
      ['Host: localhost', 'host: evil.example'],
      ['HOST: evil.example', 'Host: localhost'],
    ]) {
      expect(await send(get, ...hosts, token)).toMatch(/^HTTP\/1\.1 400 .*more than one Host/s);
    }
  });
});

describe('the address of a proxied client', () => {
  it('is that of the line that the proxy has added, whatever the caller sends before it', async () => {
    const forwardedFor = { ...noForwardedFor, authorizedCidrs: ['127.0.0.0/8'] };
    server = await startServer({ listeners: [{ forwardedFor }] });
    const role = { policies: [], boundCidrs: ['10.1.0.0/16'] };
    await server.call('PUT', 'auth/cloud/role/bound', {
      body: role,
      headers: { 'X-Forwarded-For': '10.9.9.9' },
    });
    const made = await server.call('POST', 'auth/cloud/login', {
      token: null,
      body: { role: 'bound' },
      headers: { 'X-Forwarded-For': '10.1.2.3' },
    });
    const bound = `X-Secrets-Token: ${String(made.body.auth?.client_token)}`;
    const inside = 'X-Forwarded-For: 10.1.2.3';
    const outside = 'X-Forwarded-For: 192.0.2.7';
    const from = async (...lines: readonly string[]): Promise<string> =>
      (await send(get, 'Host: localhost', bound, ...lines)).slice(9, 12);
    expect(await from(inside)).toBe('200');
    expect(await from(outside, inside)).toBe('200');
    expect(await from(`${outside}, 10.1.2.3`)).toBe('200');
    expect(await from(inside, outside)).toBe('403');
    expect(await from(`${inside}, 192.0.2.7`)).toBe('403');
    expect(await from(inside, 'x-forwarded-for: 192.0.2.7')).toBe('403');
    // With a forged line and so many others that the proxy's own would be the first one left out.
    for (const fillers of [1_990, 1_995, 1_996, 1_997, 1_998, 3_000]) {
      const response = await from(inside, ...Array<string>(fillers).fill('A: b'), outside);
      expect([fillers, response]).toEqual([fillers, fillers > 1_995 ? '431' : '403']);
    }
  });
});
