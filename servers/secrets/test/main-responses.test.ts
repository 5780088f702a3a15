import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';
import { startServerProcess, type ServerProcess } from '../stress/server-process.js';
import { makeCertificate, type TestCertificate } from './support/certificate.js';

/** The built server in a process of its own, with the headers of its file, over sockets alone. */

const rootToken = 'root-of-this-test';
const policy = "default-src 'self'; connect-src https://cluster.example/";
const demo = `
  "default" = { "Content-Security-Policy" = [${JSON.stringify(policy)}], "X-Custom-Header" = ["default value"] },
  "200" = { "X-Custom-Header" = ["200 value"] }
  "3xx" = { "X-Custom-Header" = ["3xx value"] }`;
/** The listeners of the file, by what they are for. */
const listeners = ['demo', 'layers', 'joined', 'reserved', 'bare', 'typed', 'secure', 'late'] as const;
type Place = (typeof listeners)[number];

let built: BuiltServer;
let directory: string;
let certificate: TestCertificate;
let server: ServerProcess;
let addresses: readonly string[] = [];

beforeAll(async () => {
  [built, directory, certificate] = await Promise.all([
    buildServer(),
    mkdtemp(join(tmpdir(), 'secrets-answers-')),
    makeCertificate(),
  ]);
  await writeFile(join(directory, 'server.hcl'), config('one'));
  server = start(join(directory, 'server.hcl'));
  addresses = (await server.listening) ?? [];
  expect(addresses, server.output()).toHaveLength(listeners.length);
});
afterAll(async () => {
  await server.kill();
  built.remove();
  await Promise.all([rm(directory, { recursive: true }), rm(certificate.directory, { recursive: true })]);
});

const start = (file: string): ServerProcess =>
  startServerProcess(built.main, ['--dev', '--dev-root-token-id', rootToken, '--config', file]);

function listener(headers: string | null, tls = 'tls_disable = "true"'): string {
  const block = headers === null ? '' : `custom_response_headers { ${headers} }`;
  return `listener "tcp" {\n  address = "127.0.0.1:0"\n  ${tls}\n  ${block}\n}\n`;
}

function config(late: string): string {
  const { directory: files } = certificate;
  const tls = `tls_cert_file = "${files}/cert.pem"\n  tls_key_file = "${files}/key.pem"`;
  return [
    'ui = true\n',
    listener(demo),
    listener('"4xx" = { "X-A" = ["a"] } "405" = { "X-B" = ["b"] } "default" = { "X-D" = ["d"] }'),
    listener('"default" = { "X-M" = ["a", " b ", ""] }'),
    listener('"default" = { "X-Secrets-Foo" = ["secret"], "X-Kept" = ["kept"] }'),
    listener(null),
    listener('"default" = { "Content-Type" = ["text/plain"] }'),
    listener('"default" = { "X-D" = ["d"] }', tls),
    listener(`"default" = { "X-Late" = ["${late}"] }`),
  ].join('');
}

interface Heard {
  readonly status: number;
  /** Every line of this header, in the order in which they came. */
  lines(name: string): readonly string[];
  readonly body: string;
}

interface RequestSpec {
  readonly token?: string;
  readonly body?: string;
}

function sendRequest(
  place: Place,
  method: string,
  path: string,
  { token, body }: RequestSpec = {},
): Promise<Heard> {
  const target = new URL(addresses[listeners.indexOf(place)] ?? '');
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    ...(token !== undefined && { 'X-Secrets-Token': token }),
    ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = target;
    const outgoing = send({ host, port, path, method, headers, agent: false, ca: certificate.cert });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        const { rawHeaders } = response;
        const lines = (name: string): string[] =>
          rawHeaders.filter(
            (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name.toLowerCase(),
          );
        resolve({ status: response.statusCode ?? 0, lines, body: text });
      });
    });
    outgoing.end(body);
  });
}

/** What one exchange of bytes brings back until the server hangs up. */
function exchange(place: Place, bytes: string): Promise<string> {
  const { hostname, port } = new URL(addresses[listeners.indexOf(place)] ?? '');
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('the responses of a server', () => {
  it('H06 lead from the root to the page', async () => {
    const moved = await sendRequest('bare', 'GET', '/');
    expect([moved.status, moved.lines('location')]).toEqual([307, ['/ui/']]);
    expect((await sendRequest('bare', 'GET', '/ui/')).status).toBe(200);
  });

  it('H07 are 404 in JSON where there is nothing, with a token and without', async () => {
    for (const requests of [{}, { token: rootToken }]) {
      const { status, lines, body } = await sendRequest('bare', 'GET', '/nonsense', requests);
      expect([status, lines('content-type'), JSON.parse(body)]).toEqual([
        404,
        ['application/json'],
        { errors: [] },
      ]);
    }
  });

  it('H14 come at once to a login that is too large or too deep, and the server lives on', async () => {
    const large = JSON.stringify({ role: 'dev', jwt: 'x'.repeat(5_242_880) });
    expect((await sendRequest('bare', 'POST', '/v1/auth/cloud/login', { body: large })).status).toBe(413);
    // The announced length is enough: nothing of the body has been sent.
    const { length } = large;
    const head = `POST /v1/auth/cloud/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
    expect(await exchange('bare', head)).toMatch(/^HTTP\/1\.1 413 /);
    const deep = `{"role":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    const response = await sendRequest('bare', 'POST', '/v1/auth/cloud/login', { body: deep });
    expect([response.status, response.body]).toEqual([
      400,
      '{"errors":["JSON is nested deeper than 100"]}\n',
    ]);
    expect((await sendRequest('bare', 'GET', '/v1/sys/health')).status).toBe(200);
  });

  it('can be read by a client that goes on sending what has been refused', async () => {
    const { hostname, port } = new URL(addresses[listeners.indexOf('bare')] ?? '');
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const recordOf = new Promise<string>((resolve, reject) => {
      let received = '';
      socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
      socket.on('end', () => resolve(received)).on('error', reject);
    });
    const length = 20_000_000;
    const head = 'POST /v1/auth/cloud/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
    socket.write(`${head}Content-Length: ${length}\r\n\r\n`);
    expect(await recordOf).toMatch(/^HTTP\/1\.1 413 /);
    // A reset would end this with an error, and would have lost the response.
    const closed = new Promise<boolean>((resolve) => socket.once('close', resolve));
    socket.end(Buffer.alloc(length));
    expect(await closed).toBe(false);
  });

  it('K01 carry the headers of the documented demonstration', async () => {
    const moved = await sendRequest('demo', 'GET', '/');
    const all = [
      moved,
      await sendRequest('demo', 'GET', moved.lines('location')[0] ?? ''),
      await sendRequest('demo', 'GET', '/nonsense'),
    ];
    expect(all.map(({ status, lines }) => [status, lines('x-custom-header')])).toEqual([
      [307, ['3xx value']],
      [200, ['200 value']],
      [404, ['default value']],
    ]);
    for (const { lines } of all) expect(lines('content-security-policy')).toEqual([policy]);
    expect(moved.lines('location')).toEqual(['/ui/']);
  });

  it('K02 carry them on the API by their status', async () => {
    const path = '/v1/auth/cloud/config';
    const body = JSON.stringify({ tenant_id: 'tenant', resource: 'https://secrets.example/' });
    expect((await sendRequest('demo', 'POST', path, { token: rootToken, body })).status).toBe(204);
    const received = [
      await sendRequest('demo', 'GET', path, { token: rootToken }),
      await sendRequest('demo', 'GET', path),
      await sendRequest('demo', 'DELETE', path, { token: rootToken }),
    ];
    expect(received.map(({ status, lines }) => [status, lines('x-custom-header')])).toEqual([
      [200, ['200 value']],
      [403, ['default value']],
      [204, ['default value']],
    ]);
  });

  it('K04 add up over default, class and status, each once', async () => {
    const { status, lines } = await sendRequest('layers', 'DELETE', '/v1/auth/cloud/login');
    expect([status, lines('x-a'), lines('x-b'), lines('x-d')]).toEqual([405, ['a'], ['b'], ['d']]);
  });

  it('K05 join several values into one line', async () => {
    expect((await sendRequest('joined', 'GET', '/v1/sys/health')).lines('x-m')).toEqual(['a; b']);
  });

  it('K08 leave reserved names out, with a warning at the start', async () => {
    const { lines } = await sendRequest('reserved', 'GET', '/v1/sys/health');
    expect([lines('x-secrets-foo'), lines('x-kept')]).toEqual([[], ['kept']]);
    const warning = server
      .output()
      .split('\n')
      .find((line) => line.includes('X-Secrets-Foo'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({
      level: 'warn',
      msg: expect.stringContaining('reserved'),
    });
  });

  it('K09 carry the headers of their own listener alone', async () => {
    const [first, second] = [
      await sendRequest('demo', 'GET', '/nonsense'),
      await sendRequest('bare', 'GET', '/nonsense'),
    ];
    expect([first.lines('x-custom-header'), second.lines('x-custom-header')]).toEqual([
      ['default value'],
      [],
    ]);
    expect(second.lines('content-security-policy')).toEqual([]);
  });

  it('K12 let the file have the last word on the content type, once', async () => {
    const body = JSON.stringify({ tenant_id: 'tenant', resource: 'https://secrets.example/' });
    await sendRequest('typed', 'POST', '/v1/auth/cloud/config', { token: rootToken, body });
    const { status, lines } = await sendRequest('typed', 'GET', '/v1/auth/cloud/config', {
      token: rootToken,
    });
    expect([status, lines('content-type')]).toEqual([200, ['text/plain']]);
  });

  it('K14 instruct browsers to use TLS if there is TLS, as documented', async () => {
    expect((await sendRequest('bare', 'GET', '/nonsense')).lines('strict-transport-security')).toEqual([]);
    expect((await sendRequest('secure', 'GET', '/nonsense')).lines('strict-transport-security')).toEqual([
      'max-age=31536000; includeSubDomains',
    ]);
  });

  it('K15 carry them over TLS and without', async () => {
    expect(addresses.map((address) => new URL(address).protocol)).toEqual(
      listeners.map((place) => (place === 'secure' ? 'https:' : 'http:')),
    );
    const secure = await sendRequest('secure', 'GET', '/v1/auth/cloud/config');
    expect([secure.status, secure.lines('x-d')]).toEqual([403, ['d']]);
    const plain = await sendRequest('layers', 'GET', '/v1/auth/cloud/config');
    expect([plain.status, plain.lines('x-d')]).toEqual([403, ['d']]);
  });

  it('K17 carry them on LIST, and on 400 and 431 to what is no request', async () => {
    const body = JSON.stringify({ bound_service_principal_ids: ['somebody'] });
    await sendRequest('layers', 'POST', '/v1/auth/cloud/role/dev', { token: rootToken, body });
    const list = await sendRequest('layers', 'LIST', '/v1/auth/cloud/role', { token: rootToken });
    expect([list.status, list.lines('x-d')]).toEqual([200, ['d']]);
    expect(JSON.parse(list.body)).toMatchObject({ data: { keys: ['dev'] } });
    const malformed = await exchange('layers', 'what is this\r\n\r\n');
    expect(malformed).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-D: d\r\n/);
    const oversize = await exchange(
      'layers',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    );
    expect(oversize).toMatch(/^HTTP\/1\.1 431 [^]*\r\nX-D: d\r\n/);
  });

  it('K10 change with the file at SIGHUP, and not when it is broken', async () => {
    const late = async (): Promise<readonly string[]> =>
      (await sendRequest('late', 'GET', '/nonsense')).lines('x-late');
    expect(await late()).toEqual(['one']);
    const file = join(directory, 'server.hcl');
    await writeFile(file, config('two'));
    server.signal('SIGHUP');
    await server.wrote(/have been read again/);
    expect(await late()).toEqual(['two']);
    await writeFile(file, `${config('three')}\nlistener "tcp" {`);
    server.signal('SIGHUP');
    await server.wrote(/"level":"error"[^\n]*nothing has changed/);
    expect(await late()).toEqual(['two']);
  });
});

describe('a server does not start', () => {
  const nested = (key: string): string => `"${key}" = { "X-A" = ["a"] }`;
  it.each([
    ['K06', 'with the status key 600', nested('600'), '"600"'],
    ['K06', 'with the status key 6xx', nested('6xx'), '"6xx"'],
    ['K06', 'with the status key 2XX', nested('2XX'), '"2XX"'],
    ['K06', 'with the status key abc', nested('abc'), '"abc"'],
    ['K06', 'with the status key 99', nested('99'), '"99"'],
    ['K07', 'with a plain string for a header', '"default" = { "X-A" = "a" }', 'X-A'],
    ['K07', 'with a number in the list', '"default" = { "X-A" = ["a", 5] }', 'X-A'],
    ['K11', 'with a line break in a value', '"default" = { "X-A" = ["a\\r\\nSet-Cookie: b=c"] }', 'X-A'],
    ['K11', 'with a space in a name', '"default" = { "X A" = ["a"] }', 'X A'],
  ])('%s %s', async (_id, what, headers, named) => {
    const file = join(directory, `${what.replace(/\W/g, '-')}.hcl`);
    await writeFile(file, listener(headers));
    const refused = start(file);
    // One that starts all the same must not outlive the test.
    if ((await refused.listening) !== null) await refused.kill();
    const code = await refused.ended;
    expect([code, refused.output()]).toEqual([1, expect.stringContaining(named)]);
    expect(refused.output()).toContain('listener "tcp"');
    expect(refused.output()).not.toContain('Listening on');
  });
});
