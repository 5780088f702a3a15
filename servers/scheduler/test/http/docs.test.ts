import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createTestAgent } from '../support/test-agent.js';

const script = 'document.documentElement.dataset.theme = "dark"';
const style = 'body { margin: 0 }';
const files = {
  'index.html': `<!doctype html><title>docs</title><script id="a">${script}</script><style>${style}</style><script src="x.js"></script>`,
  'guides/watches.html': '<!doctype html><title>watches</title>',
  'api/index.html': '<!doctype html><title>api</title>',
  'assets/app-abc.js': 'export {}',
  'hashmap.json': '{}',
};

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

describe('the documentation', () => {
  let folder: string;
  let agent: Agent;
  let address: string;
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${address}${path}`, { headers, redirect: 'manual' });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docs-files-'));
    agent = await createTestAgent({ docsFolder: folder });
    address = await agent.listen();
    // Builds it after the first request, as `npm run docs:site` may.
    const early = await get('/docs/');
    expect([early.status, early.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    expect(await early.text()).toBe(
      'The documentation is not built: run `npm run docs:site` in the repository',
    );
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  });
  afterAll(async () => {
    await agent.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['/docs/', 'index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/docs/guides/watches.html', 'guides/watches.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/docs/api/', 'api/index.html', 'text/html; charset=utf-8', 'no-cache'],
    [
      ...['/docs/assets/app-abc.js', 'assets/app-abc.js', 'text/javascript; charset=utf-8'],
      'public, max-age=31536000, immutable',
    ],
    ['/docs/hashmap.json', 'hashmap.json', 'application/json', 'no-cache'],
  ] as const)('sends a file with its type and an ETag: %s', async (path, name, type, cached) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, files[name as keyof typeof files]]);
    expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      type,
      cached,
    ]);
    const again = await get(path, { 'If-None-Match': response.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('permits the inline scripts and styles of a page by their hashes, and no others', async () => {
    const policy = (await get('/docs/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(
      `script-src 'self' 'sha256-${hash(script)}'; style-src 'self' 'sha256-${hash(style)}' 'sha256-${hash('')}';`,
    );
    const other = (await get('/docs/guides/watches.html')).headers.get('content-security-policy') ?? '';
    expect(other).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-");
  });

  it('redirects to the first page, and returns 404 for other paths', async () => {
    expect((await get('/docs')).headers.get('location')).toBe('/docs/');
    for (const path of [
      '/docs/nothing.html',
      '/docs/..%2F..%2Fetc%2Fpasswd',
      '/docs/guides/',
      '/docs/guides',
    ])
      expect((await get(path)).status, path).toBe(404);
  });

  it('returns 404 with the command that builds it if no folder is known', async () => {
    const bare = await createTestAgent();
    try {
      const response = await fetch(`${await bare.listen()}/docs/`);
      expect([response.status, await response.text()]).toEqual([
        404,
        expect.stringContaining('npm run docs:site'),
      ]);
    } finally {
      await bare.close();
    }
  });
});
