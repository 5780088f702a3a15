import { afterEach, describe, expect, it } from 'vitest';
import { defaultListenerLimits } from '../../src/http/limits.js';
import { startServer, type TestServer } from '../support/secrets-server.js';

let server: TestServer;
afterEach(() => server.close());

describe('a path', () => {
  it.each([
    ['GET', '/nonsense', 404, []],
    ['GET', '/v1', 404, []],
    ['GET', '/v1/', 404, ['there is nothing at this path']],
    ['GET', '/v1/nothing/here', 404, ['there is nothing at this path']],
    ['GET', '//v1/sys/health', 404, []],
    ['GET', '/v1/auth/cloud/nothing', 404, ['unsupported path']],
    ['GET', '/v1/auth/token/', 404, ['unsupported path']],
    ['GET', '/v1/sys/nothing', 404, ['unsupported path']],
    ['GET', '/v1/auth/token/create', 405, ['unsupported operation']],
    ['DELETE', '/v1/auth/cloud/login', 405, ['unsupported operation']],
    ['DELETE', '/v1/sys/health', 405, ['unsupported operation']],
    ['PATCH', '/v1/auth/cloud/role/dev', 415, [expect.stringContaining('merge-patch')]],
    ['OPTIONS', '/v1/auth/cloud/role/dev', 405, []],
    ['POST', '/', 405, []],
    ['PUT', '/v1/auth/cloud/role/dev/', 400, [expect.stringContaining('slash')]],
    ['GET', '/v1/auth/cloud/role/../config', 400, [expect.stringContaining('relative')]],
    ['GET', '/v1/auth/cloud/role/%2e%2E/config', 400, [expect.stringContaining('relative')]],
    ['GET', '/v1/%00', 400, [expect.stringContaining('printed')]],
    ['GET', '/v1/%E2%80%AE', 400, [expect.stringContaining('printed')]],
    ['GET', '/v1/%zz', 400, [expect.stringContaining('percent')]],
    ['GET', '/v1/%ff', 400, [expect.stringContaining('percent')]],
    ['GET', '/v1/sys/health?a=%zz', 400, ['the query cannot be read']],
    ['GET', `/v1/sys/health?${'a&'.repeat(60)}`, 400, ['the query cannot be read']],
  ])('%s %s is %s', async (method, path, status, errors) => {
    server = await startServer();
    const response = await server.call(method, path);
    expect([response.status, response.body]).toEqual([status, { errors }]);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('says nothing of itself to those without a token', async () => {
    server = await startServer();
    for (const path of [
      'auth/cloud/nothing',
      'auth/token/lookup-self',
      'sys/policies/acl/x',
      'auth/cloud/role/dev',
    ]) {
      for (const token of [null, 'wrong', '', 'b.AAAA', 's.x', 'x'.repeat(20_000)]) {
        const response = await server.call('GET', path, { token });
        expect([response.status, response.body]).toEqual([403, { errors: ['permission denied'] }]);
      }
    }
  });
});

describe('a body', () => {
  const put = (
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): ReturnType<TestServer['call']> => server.call('PUT', 'auth/cloud/role/dev', { body, headers });

  it.each([
    ['{"a":1', 'error parsing JSON'],
    ['[]', 'the body must be a JSON object'],
    ['"secret"', 'the body must be a JSON object'],
    ['secret', 'error parsing JSON'],
    ['[secret', 'error parsing JSON'],
    [`{"a":${'['.repeat(101)}${']'.repeat(101)}}`, 'JSON is nested deeper than 100'],
    [`{"a":${'['.repeat(60_000)}`, 'JSON is nested deeper than 100'],
    [`{"a":[${'0,'.repeat(10_001)}0]}`, 'JSON has more than 10000 keys and items'],
    [`{"a":[${'0,'.repeat(1_000)}0]}`, 'a list in JSON has more than 1000 items'],
  ])('%.20s is refused: %s', async (body, message) => {
    server = await startServer();
    const response = await put(body);
    expect([response.status, response.body]).toEqual([400, { errors: [message] }]);
    expect(response.text).not.toContain('secret');
  });

  it('is JSON whatever its type says, or a form when it is one', async () => {
    server = await startServer();
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await put('{"note":"json"}', form)).status).toBe(204);
    expect((await server.call('GET', 'auth/cloud/role/dev')).body.data?.note).toBe('json');
    expect((await put('note=a+form&__proto__=x', form)).status).toBe(204);
    expect((await server.call('GET', 'auth/cloud/role/dev')).body.data?.note).toBe('a form');
    expect((await put('note=a+form')).status).toBe(400);
    for (const text of ['nojson', 'note=a&nojson', '=a', '"text"']) {
      expect(await put(text, form)).toMatchObject({
        ...{ status: 400, body: { errors: ['the body is neither a JSON object nor a form of NAME=VALUE'] } },
      });
    }
    expect((await put('note=&', form)).status).toBe(204);
    expect((await put('note=a+form', form)).status).toBe(204);
    expect((await put('', { 'Content-Type': 'text/plain' })).status).toBe(204);
    expect((await put('{"__proto__":{"policies":["root"]},"constructor":1}')).status).toBe(204);
    expect((await server.call('GET', 'auth/cloud/role/dev')).body.data?.policies).toEqual([]);
  });

  it('is not looked at before its sender is known', async () => {
    server = await startServer();
    for (const body of ['{', 'x'.repeat(5_242_880)]) {
      const response = await server.call('PUT', 'auth/cloud/role/dev', { token: 'wrong', body });
      expect([response.status, response.body]).toEqual([403, { errors: ['permission denied'] }]);
    }
  });

  it('means nothing where nothing is written', async () => {
    server = await startServer();
    await server.call('PUT', 'auth/cloud/role/dev', { body: {} });
    for (const [method, status] of [
      ['GET', 200],
      ['LIST', 200],
      ['DELETE', 204],
    ] as const) {
      const path = method === 'LIST' ? 'auth/cloud/role' : 'auth/cloud/role/dev';
      expect([method, (await server.call(method, path, { body: '{not json' })).status]).toEqual([
        method,
        status,
      ]);
    }
  });

  it('is limited by what its route needs, and by the listener', async () => {
    const limits = { ...defaultListenerLimits, maxRequestSize: 100_000 };
    server = await startServer({ listeners: [{ limits }] });
    const big = JSON.stringify({ note: 'x'.repeat(70_000), policy: '' });
    expect((await put(big)).status).toBe(413);
    expect((await server.call('PUT', 'sys/policies/acl/x', { body: big })).status).toBe(204);
    const bigger = { policy: '#', note: 'x'.repeat(100_000) };
    expect((await server.call('PUT', 'sys/policies/acl/x', { body: bigger })).status).toBe(413);
    const login = await server.call('POST', 'auth/cloud/login', { token: null, body: big });
    expect([login.status, login.body.errors]).toEqual([413, ['the body is larger than 65536 bytes']]);
    const huge = 'x'.repeat(5_242_880);
    expect((await put(huge)).status).toBe(413);
    const chunked = await server.call('PUT', 'auth/cloud/role/dev', {
      body: huge,
      headers: { 'Transfer-Encoding': 'chunked' },
    });
    expect(chunked.status).toBe(413);
    expect((await server.call('GET', 'sys/health', { token: null })).status).toBe(200);
  });
});

describe('a token', () => {
  it('may come as a bearer, its own header first', async () => {
    server = await startServer();
    const lookup = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await server.call('GET', 'auth/token/lookup-self', { token: null, headers })).status;
    expect(await lookup({ Authorization: 'Bearer root-of-the-tests' })).toBe(200);
    expect(await lookup({ authorization: 'bearer root-of-the-tests' })).toBe(200);
    expect(await lookup({ Authorization: 'Basic root-of-the-tests' })).toBe(403);
    expect(await lookup({ Authorization: 'Bearer root-of-the-tests', 'X-Secrets-Token': 'other' })).toBe(403);
  });
});

describe('the address of a caller', () => {
  const trust = {
    authorizedCidrs: ['127.0.0.1'],
    hopSkips: 0,
    rejectNotPresent: false,
    rejectNotAuthorized: true,
  };
  const status = async (forwardedFor: string): Promise<number> =>
    (
      await server.call('GET', 'auth/token/lookup-self', {
        token: 'bound',
        headers: { 'X-Forwarded-For': forwardedFor },
      })
    ).status;

  async function startBound(forwardedFor: typeof trust): Promise<void> {
    server = await startServer({ listeners: [{ forwardedFor }] });
    await server.call('PUT', 'auth/cloud/role/dev', { body: { boundCidrs: ['10.0.0.0/8'] } });
    const login = await server.call('POST', 'auth/cloud/login', { token: null, body: { role: 'dev' } });
    const token = String(login.body.auth?.client_token);
    const { call } = server;
    server = {
      ...server,
      call: (method, path, options) =>
        call(method, path, {
          ...options,
          token: options?.token === 'bound' ? token : (options?.token ?? null),
        }),
    };
  }

  it('is what a known proxy says, the last entry but those of proxies', async () => {
    await startBound(trust);
    expect(await status('10.1.1.1')).toBe(200);
    expect(await status('11.1.1.1, 10.1.1.1')).toBe(200);
    expect(await status('10.1.1.1, 11.1.1.1')).toBe(403);
    expect(await status('[::ffff:10.1.1.1]:99')).toBe(200);
    expect(await status('10.1.1.1:99')).toBe(200);
    expect(await status('unknown')).toBe(400);
  });

  it('skips as many hops as are configured', async () => {
    await startBound({ ...trust, hopSkips: 1 });
    expect(await status('10.1.1.1, 127.0.0.1')).toBe(200);
    expect(await status('10.1.1.1')).toBe(400);
  });

  it('is never what an untrusted client claims', async () => {
    await startBound({ ...trust, authorizedCidrs: ['10.9.9.9'] });
    expect(await status('10.1.1.1')).toBe(400);
    await server.close();
    await startBound({ ...trust, authorizedCidrs: ['10.9.9.9'], rejectNotAuthorized: false });
    expect(await status('10.1.1.1')).toBe(403);
    await server.close();
    await startBound({ ...trust, authorizedCidrs: [] });
    expect(await status('10.1.1.1')).toBe(403);
  });
});

describe('pages of other sites', () => {
  it('cannot write, and can read nothing', async () => {
    server = await startServer();
    const response = await server.call('PUT', 'sys/init', {
      token: null,
      body: {},
      headers: { Origin: 'https://evil.example' },
    });
    expect([response.status, response.body.errors?.[0]]).toEqual([
      403,
      expect.stringContaining('another site'),
    ]);
    const login = await server.call('POST', 'auth/cloud/login', {
      token: null,
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(login.status).toBe(403);
    const read = await server.call('GET', 'sys/health', {
      token: null,
      headers: { Origin: 'https://evil.example' },
    });
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  });
});

describe('the page', () => {
  it('needs nothing but its own files under the strictest policy', async () => {
    server = await startServer();
    for (const path of ['/', '/ui']) {
      const moved = await server.call('GET', path, { token: null });
      expect([moved.status, moved.headers.location]).toEqual([307, '/ui/']);
    }
    const page = await server.call('GET', '/ui/', { token: null });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<style|style=|<script(?! src)|\son\w+=/);
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toEqual(['/ui/style.css', '/ui/script.js', '/v1/sys/health']);
    const types = await Promise.all(
      files.map(async (path) => (await server.call('GET', path)).headers['content-type']),
    );
    expect(types).toEqual(['text/css; charset=utf-8', 'text/javascript; charset=utf-8', 'application/json']);
    expect((await server.call('GET', '/ui/any/thing', { token: null })).text).toBe(page.text);
    const head = await server.call('HEAD', '/ui/', { token: null });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      page.headers['content-length'],
    ]);
  });

  it('has a label for every field, and logs in where the method is mounted', async () => {
    server = await startServer({
      mount: { path: 'team/cloud' },
    });
    const { text } = await server.call('GET', '/ui/', { token: null });
    const fields = [...text.matchAll(/<(?:input|textarea) id="(\w+)"/g)].map(([, id]) => id);
    expect(fields).toContain('jwt');
    for (const id of fields) expect(text).toContain(`<label for="${id}">`);
    expect(text).toContain('<button type="submit" formaction="/v1/auth/team/cloud/login">Log in</button>');
  });

  it('may be switched off', async () => {
    server = await startServer({ config: { ui: false } });
    for (const path of ['/', '/ui', '/ui/', '/ui/script.js']) {
      const response = await server.call('GET', path, { token: null });
      expect([response.status, response.body]).toEqual([404, { errors: [] }]);
    }
    expect((await server.call('GET', '/robots.txt', { token: null })).text).toContain('Disallow: /');
  });
});

it('a response has all members of the envelope and its own name', async () => {
  server = await startServer();
  const { body } = await server.call('GET', 'auth/token/lookup-self');
  expect(Object.keys(body).sort()).toEqual([
    'auth',
    'data',
    'lease_duration',
    'lease_id',
    'renewable',
    'request_id',
    'warnings',
    'wrap_info',
  ]);
  expect(body.request_id).toMatch(/^[0-9a-f-]{36}$/);
});
