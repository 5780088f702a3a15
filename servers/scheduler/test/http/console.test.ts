import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { readSite } from '../../src/api/kernel/site.js';
import { call, createTestAgent } from '../support/test-agent.js';

const index = '<!doctype html><title>console</title>';
const script = 'console.log(1)';

describe('the console', () => {
  let folder: string;
  let agent: Agent;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-files-'));
    await mkdir(join(folder, 'assets'));
    for (const [name, text] of [
      ['index.html', index],
      ['assets/main-abc.js', script],
      ['assets/main-abc.js.map', '{}'],
    ] as const) {
      await writeFile(join(folder, name), text);
      await writeFile(join(folder, `${name}.gz`), gzipSync(text));
      await writeFile(join(folder, `${name}.br`), brotliCompressSync(text));
    }
    agent = await createTestAgent({ site: await readSite(folder) });
  });
  afterAll(async () => {
    await agent.close();
    await rm(folder, { recursive: true });
  });

  it('is the response to each of its paths, and is revalidated each time', async () => {
    for (const path of [
      '/ui/',
      '/ui/jobs',
      '/ui/jobs/a%2Fb@default?filter=x',
      '/ui/%3Cscript%3E',
      '/ui/..%2F..%2Fetc',
    ]) {
      const response = await call(agent, path);
      expect([response.status, response.text, response.headers['content-type']], path).toEqual([
        200,
        index,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers['cache-control']).toBe('no-cache');
    }
    const { headers } = await call(agent, '/ui');
    expect(headers['location']).toBe('/ui/');
  });

  it('may run its own scripts and call this agent, and nothing else', async () => {
    const { headers } = await call(agent, '/ui/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; img-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('has files named by their content, which are cached for ever', async () => {
    const response = await call(agent, '/ui/assets/main-abc.js');
    expect([response.status, response.text]).toEqual([200, script]);
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it.each([
    ['br', 'br', brotliCompressSync(index)],
    ['gzip, deflate, br', 'br', brotliCompressSync(index)],
    ['gzip', 'gzip', gzipSync(index)],
  ] as const)('is sent as it was compressed: %s', async (accepted, coding, bytes) => {
    const response = await agent.app.inject({ url: '/ui/', headers: { 'accept-encoding': accepted } });
    expect(response.headers['content-encoding']).toBe(coding);
    expect(response.headers['vary']).toBe('Accept-Encoding');
    expect(response.rawPayload.equals(bytes)).toBe(true);
  });

  it('is not sent again to a client that has it, in that coding', async () => {
    const first = await call(agent, '/ui/', { headers: { 'accept-encoding': 'gzip' } });
    const tag = String(first.headers['etag']);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const headers = { 'accept-encoding': 'gzip', 'if-none-match': given };
      const response = await call(agent, '/ui/jobs', { headers });
      expect([response.status, response.text, response.headers['etag']]).toEqual([304, '', tag]);
    }
    const other = await call(agent, '/ui/', { headers: { 'if-none-match': tag } });
    expect(other.status).toBe(200);
  });

  it.each(['/ui/assets/none.js', '/ui/assets/main-abc.js.map', '/ui/assets/..%2F..%2Fpackage.json'])(
    'has no file %s',
    async (path) => {
      const response = await call(agent, path);
      expect([response.status, response.text]).toEqual([404, '']);
    },
  );

  it('leaves the page without scripts where it is', async () => {
    expect((await call(agent, '/ui/plain')).text).toContain('This is an agent of a scheduler');
    expect((await call(agent, '/ui/page.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it('is no site where nothing was built', async () => {
    expect(await readSite(join(folder, 'nowhere'))).toBeNull();
    expect(await readSite(join(folder, 'assets'))).toBeNull();
  });
});
