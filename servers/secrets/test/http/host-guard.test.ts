import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
afterEach(() => server.close());

const send = async (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> =>
  (await server.call(method, path, { token: null, headers, ...(method === 'PUT' && { body: {} }) })).status;

describe('a listener on loopback', () => {
  it('is not initialized by a page whose name leads to this machine', async () => {
    server = await startServer({ unsealed: false });
    const page = { Host: 'rebound.example:8200', Origin: 'http://rebound.example:8200' };
    expect(await send('PUT', 'sys/init', page)).toBe(403);
    expect(await send('GET', 'sys/init', { Host: 'rebound.example' })).toBe(403);
    expect(await send('GET', '/ui/', { Host: 'rebound.example' })).toBe(403);
    expect(await send('PUT', 'sys/init', { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await send('PUT', 'sys/init', { Origin: 'null' })).toBe(403);
    expect(await send('PUT', 'sys/unseal', { Origin: 'https://another.example' })).toBe(403);
    expect((await server.call('GET', 'sys/init', { token: null })).body).toEqual({ initialized: false });
    expect(await send('PUT', 'sys/init', {})).toBe(200);
  });

  it.each([
    ['localhost', 200],
    ['LOCALHOST:8200', 200],
    ['127.0.0.1', 200],
    ['127.9.8.7:1', 200],
    ['[::1]:8200', 200],
    ['secrets.example:443', 200],
    ['Secrets.Example', 200],
    ['localhost.rebound.example', 403],
    ['127.0.0.1.rebound.example', 403],
    ['rebound.example:127.0.0.1', 403],
    ['localhost.', 403],
    ['0.0.0.0', 403],
  ])('responds to the name %j with %i', async (Host, status) => {
    server = await startServer({ listeners: [{ hostNames: ['secrets.example'] }] });
    expect(await send('GET', 'sys/health', { Host })).toBe(status);
  });

  it('lets pages of other sites read only opaque responses, and write nothing', async () => {
    server = await startServer();
    const page = { Origin: 'https://another.example' };
    expect(await send('GET', 'sys/health', page)).toBe(200);
    expect(await send('DELETE', 'auth/cloud/role/dev', page)).toBe(403);
    expect(await send('PUT', 'auth/cloud/login', page)).toBe(403);
  });
});

it('a listener on other addresses responds to every name', async () => {
  server = await startServer({ listeners: [{ host: '0.0.0.0' }] });
  const [address = ''] = server.addresses;
  const port = new URL(address).port;
  const response = await fetch(`http://127.0.0.1:${port}/v1/sys/health`, {
    headers: { Host: 'any.example' },
  });
  expect(response.status).toBe(200);
});
