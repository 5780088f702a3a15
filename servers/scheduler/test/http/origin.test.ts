import { describe, expect, it } from 'vitest';
import { interfaceRoutes } from '../../src/api/routes.js';
import { createTestAgent, type TestOptions } from '../support/test-agent.js';

interface TestReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

async function request(
  options: TestOptions,
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<TestReply> {
  const { app } = await createTestAgent(options);
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { host: 'localhost:4646', ...headers },
  });
  return { status: response.statusCode, text: response.body, headers: response.headers };
}

const foreign = 'Writes from pages of another site are refused';

describe('a page of another site', () => {
  it('may use no route that writes, whatever the route', async () => {
    const agent = await createTestAgent();
    const before = agent.state.snapshot();
    const methods = { put: ['PUT', 'POST'], delete: ['DELETE'], any: ['POST'], get: ['HEAD'] };
    const writes = interfaceRoutes.flatMap(({ method, path }) =>
      methods[method].map((one) => ({ method: one, url: path })),
    );
    expect(writes.length).toBeGreaterThan(20);
    for (const { method, url } of writes) {
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        const path = url.replace(/\{\w+\}/, 'x');
        const response = await agent.app.inject({
          method: method as 'PUT',
          url: path,
          headers: { host: 'localhost:4646', ...headers },
        });
        expect.soft(response.statusCode, `${method} ${path}`).toBe(403);
        // The head alone comes of HEAD.
        if (method !== 'HEAD') expect.soft(response.body, `${method} ${path}`).toBe(foreign);
      }
    }
    expect(agent.state.snapshot()).toBe(before);
  });

  it.each<[what: string, method: string, headers: Record<string, string>, status: number]>([
    ['another site', 'PUT', { origin: 'http://evil.example' }, 403],
    ['another port', 'PUT', { origin: 'http://localhost:3000' }, 403],
    ['another name of this machine', 'PUT', { origin: 'http://127.0.0.1:4646' }, 403],
    ['nowhere, as of a sandboxed frame or a file', 'PUT', { origin: 'null' }, 403],
    ['another scheme', 'PUT', { origin: 'chrome-extension://abcdef' }, 403],
    ['a site that says so twice', 'PUT', { origin: 'http://localhost:4646, http://evil.example' }, 403],
    ['a sibling of this site', 'DELETE', { 'sec-fetch-site': 'same-site' }, 403],
    ['a word that browsers do not know yet', 'PUT', { 'sec-fetch-site': 'cousin' }, 403],
    ['another site, as a question before the request', 'OPTIONS', { origin: 'http://evil.example' }, 403],
    ['this site', 'PUT', { origin: 'http://localhost:4646', 'sec-fetch-site': 'same-origin' }, 400],
    ['no browser', 'PUT', {}, 400],
    ['another site, to read', 'GET', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }, 200],
  ])('is one that comes from %s', async (_what, method, headers, status) => {
    const response = await request({}, method, '/v1/jobs', headers);
    expect(response.status).toBe(status);
    if (status === 403) expect(response.text).toBe(foreign);
    // Without these a browser hides the response from a foreign page.
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('is one whatever the verb, and whatever else it says of itself', async () => {
    const agent = await createTestAgent();
    const own = { host: 'localhost:4646' };
    const foreignHeaders: readonly Record<string, string>[] = [
      { ...own, origin: 'http://evil.example' },
      { ...own, origin: 'http://localhost:4646.evil.example' },
      { ...own, origin: 'http://localhost:4646/' },
      { ...own, origin: 'http://localhost' },
      { ...own, origin: 'localhost:4646' },
      { ...own, origin: 'file://' },
      { ...own, origin: '' },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'sec-fetch-site': '' },
      { ...own, 'sec-fetch-site': 'none, cross-site' },
      { ...own, 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
      { ...own, 'sec-fetch-site': 'cross-site', origin: 'http://localhost:4646' },
      { ...own, 'sec-fetch-site': 'none', origin: 'null' },
    ];
    const before = agent.state.snapshot();
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND', 'TRACE', 'LOCK']) {
      for (const headers of foreignHeaders) {
        for (const url of ['/v1/jobs', '/v1/namespace/x', '/v1/nowhere', '/ui/', '/']) {
          const response = await agent.app.inject({ method: method as 'PUT', url, headers });
          expect.soft(response.statusCode, `${method} ${url} ${JSON.stringify(headers)}`).toBe(403);
        }
      }
    }
    expect(agent.state.snapshot()).toBe(before);
  });

  it('is refused before any token is looked at, and on any address', async () => {
    for (const bind of ['127.0.0.1', '0.0.0.0']) {
      const config = { bind, acl: { enabled: true } };
      const response = await request({ config }, 'PUT', '/v1/acl/bootstrap', {
        origin: 'http://evil.example',
      });
      expect([response.status, response.text]).toEqual([403, foreign]);
    }
  });
});

describe('a listener on loopback', () => {
  it.each<[host: string, status: number]>([
    ['localhost', 200],
    ['localhost:4646', 200],
    ['LocalHost:4646', 200],
    ['127.0.0.1:4646', 200],
    ['127.3.2.1', 200],
    ['[::1]:4646', 200],
    ['scheduler.internal:4646', 200],
    ['Scheduler.Internal', 200],
    ['evil.example', 403],
    ['evil.example:4646', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['evil.example@localhost', 403],
    ['10.0.0.1:4646', 403],
    ['0.0.0.0:4646', 403],
    ['[::2]', 403],
    ['2130706433', 403],
  ])('responds to the name %j: %i', async (host, status) => {
    const config = { hostNames: ['Scheduler.internal'] };
    for (const path of ['/v1/jobs', '/v1/status/leader']) {
      expect((await request({ config }, 'GET', path, { host })).status).toBe(status);
    }
  });

  it('is anything in 127.0.0.0/8, and ::1; others respond to any name', async () => {
    for (const [bind, status] of [
      ['127.0.0.1', 403],
      ['127.1.2.3', 403],
      ['::1', 403],
      ['localhost', 403],
      ['0.0.0.0', 200],
      ['10.0.0.1', 200],
    ] as const) {
      const response = await request({ config: { bind } }, 'GET', '/v1/jobs', { host: 'any.example' });
      expect.soft(response.status, bind).toBe(status);
    }
  });

  it('refuses other names on paths that do not exist too', async () => {
    expect((await request({}, 'GET', '/nothing', { host: 'evil.example' })).status).toBe(403);
  });
});
