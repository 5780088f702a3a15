import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { canonicalName, headersFor, readHeader, readStatusKey } from '../../src/http/response-headers.js';
import { readServerSettings } from '../../src/program/settings/server-settings.js';
import type { ListenerConfig } from '../../src/server/server-config.js';
import { startServer, type TestServer } from '../support/secrets-server.js';

/** The first listener of a file with these header blocks. */
function listener(blocks: string, others = ''): ListenerConfig {
  const text = `listener "tcp" { address = "127.0.0.1:0"  tls_disable = true ${blocks} ${others} }`;
  const { listeners } = readServerSettings([{ name: 'test.hcl', text }], {
    dev: true,
    onWarning: () => undefined,
  });
  return listeners[0]!;
}

let server: TestServer;

const demo = `custom_response_headers {
  "default" = {
    "Content-Security-Policy" = ["connect-src https://cluster.example/"],
    "X-Custom-Header" = ["Custom header default value"],
  },
  "200" = { "X-Custom-Header" = ["Custom header with 200 value"] },
  "3xx" = { "X-Custom-Header" = ["Custom header with 3xx value"] }
}`;

/** What one raw exchange brings back until the server hangs up. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.addresses[0]!);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.on('data', (chunk) => void (received += chunk.toString('latin1')));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('custom response headers', () => {
  afterEach(() => server.close());

  it('are those of the documented demonstration', async () => {
    server = await startServer({ listeners: [listener(demo)] });
    const moved = await server.call('GET', '/', { token: null });
    const page = await server.call('GET', String(moved.headers.location), { token: null });
    const missing = await server.call('GET', '/nonsense', { token: null });
    const seen = [moved, page, missing].map(({ status, headers }) => [
      status,
      headers['x-custom-header'],
      headers['content-security-policy'],
    ]);
    const policy = 'connect-src https://cluster.example/';
    expect(seen).toEqual([
      [307, 'Custom header with 3xx value', policy],
      [200, 'Custom header with 200 value', policy],
      [404, 'Custom header default value', policy],
    ]);
    expect(moved.headers.location).toBe('/ui/');
    expect(missing.headers['content-type']).toBe('application/json');
    expect(missing.body).toEqual({ errors: [] });
  });

  it('are added to responses of the API by their status', async () => {
    server = await startServer({ listeners: [listener(demo)] });
    const own = async (method: string, path: string, token?: null): Promise<unknown[]> => {
      const response = await server.call(
        method,
        path,
        token === null ? { token } : { body: method === 'GET' ? undefined : {} },
      );
      return [response.status, response.headers['x-custom-header']];
    };
    expect(await own('PUT', 'auth/cloud/role/dev')).toEqual([204, 'Custom header default value']);
    expect(await own('GET', 'auth/cloud/role/dev')).toEqual([200, 'Custom header with 200 value']);
    expect(await own('GET', 'auth/cloud/role/dev', null)).toEqual([403, 'Custom header default value']);
    expect(await own('LIST', 'auth/cloud/role')).toEqual([200, 'Custom header with 200 value']);
  });

  it('replace one another from the default over the class to the very status, name by name', async () => {
    const blocks = `custom_response_headers {
      "default" = { "X-A" = ["default"], "X-B" = ["default"], "X-D" = ["default"] }
      "405" = { "x-b" = ["405"] }
      "4xx" = { "X-A" = ["4xx"], "X-B" = ["4xx"] }
    }`;
    server = await startServer({ listeners: [listener(blocks)] });
    const { status, headers } = await server.call('DELETE', 'auth/cloud/login', { token: null });
    expect([status, headers['x-a'], headers['x-b'], headers['x-d']]).toEqual([405, '4xx', '405', 'default']);
  });

  it('come last: they replace what the server sets, once', async () => {
    const blocks = `custom_response_headers { "default" = {
      "content-type" = ["text/plain"], "Cache-Control" = ["private"], "X-M" = ["a", " b ", ""] } }`;
    server = await startServer({ listeners: [listener(blocks)] });
    const response = await raw('GET /v1/sys/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(response.match(/^content-type:.*$/gim)).toEqual(['Content-Type: text/plain']);
    expect(response.match(/^cache-control:.*$/gim)).toEqual(['Cache-Control: private']);
    expect(response.match(/^x-m:.*$/gim)).toEqual(['X-M: a; b']);
  });

  it.each([
    ['a request line that is none', 'what is this\r\n\r\n', 400],
    ['a header that is none', 'GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a verb that nobody knows', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417],
    ['a path with a line feed', 'GET /%0a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
  ])('are on the response to %s', async (_, bytes, status) => {
    server = await startServer({
      listeners: [listener('custom_response_headers { "default" = { "X-D" = ["d"] } }')],
    });
    const response = await raw(bytes);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(response.match(/^X-D: d\r$/gm)).toHaveLength(1);
    expect(response.match(/^Cache-Control: no-store\r$/gm)).toHaveLength(1);
  });

  it('are on a response that arrives while megabytes are still being sent', async () => {
    server = await startServer({
      listeners: [listener('custom_response_headers { "431" = { "X-D" = ["d"] } }')],
    });
    const response = await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(8_000_000)}\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 431 [^]*X-D: d\r\n/);
  });

  it('are on the response to a request that never ends, too', async () => {
    const blocks = 'custom_response_headers { "408" = { "X-D" = ["late"] } }';
    server = await startServer({
      listeners: [listener(blocks, 'http_read_header_timeout = "1ms" http_read_timeout = "2ms"')],
    });
    expect(await raw('GET / HTTP/1.1\r\nHost: localhost\r\n')).toMatch(/^HTTP\/1\.1 408 [^]*X-D: late\r\n/);
  });

  it('belong to one listener', async () => {
    server = await startServer({ listeners: [listener(demo), {}] });
    const responses = await Promise.all(
      [0, 1].map((at) => server.call('GET', '/nonsense', { listener: at })),
    );
    expect(responses.map(({ headers }) => headers['x-custom-header'])).toEqual([
      'Custom header default value',
      undefined,
    ]);
  });
});

describe('the parts of a block of headers', () => {
  it.each(['600', '6xx', '2XX', 'abc', '99', '0xx', '1000', '', '20', 'xx', '2xx ', 'Default'])(
    'no status key is %j',
    async (key) => {
      expect(() => readStatusKey(key)).toThrow(JSON.stringify(key));
    },
  );

  it.each([
    ['X Y', ['a'], 'no header name'],
    ['', ['a'], 'no header name'],
    ['X:', ['a'], 'no header name'],
    ['X-A', ['a\r\nSet-Cookie: b'], 'line break'],
    ['X-A', ['a\0'], 'control character'],
    ['X-A', ['\u20ac'], 'Latin-1'],
    ['content-length', ['5'], 'set by the server'],
    ['Transfer-Encoding', ['chunked'], 'set by the server'],
    ['connection', ['close'], 'set by the server'],
  ])('%j: %j is a mistake', (name, values, message) => {
    expect(() => readHeader(name, values)).toThrow(message);
  });

  it('passes over reserved names and empty values', () => {
    expect(readHeader('x-secrets-foo', ['a'])).toEqual({ skipped: expect.stringContaining('reserved') });
    expect(readHeader('X-A', [' ', ''])).toEqual({ skipped: 'it has no value' });
    expect(readHeader('X-A', [])).toEqual({ skipped: 'it has no value' });
  });

  it('writes names as they are known', () => {
    expect(['x-custom-header', 'SOMEHEADER-200', 'ETag'].map(canonicalName)).toEqual([
      'X-Custom-Header',
      'Someheader-200',
      'Etag',
    ]);
  });

  it('costs nothing where only defaults are set', () => {
    const byDefault = new Map([['X-A', 'a']]);
    expect(headersFor({ byDefault, byClass: new Map(), byStatus: new Map() }, 404)).toBe(byDefault);
  });
});
