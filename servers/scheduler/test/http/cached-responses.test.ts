import { describe, expect, it } from 'vitest';
import { minimalJob, createBaseAgent } from '../support/base-cluster.js';
import { call, idsOf } from '../support/test-agent.js';

describe('an agent that caches responses', () => {
  it('never returns a stale one, nor one of another request', async () => {
    const agent = await createBaseAgent();
    const paths = [
      '/v1/jobs',
      '/v1/jobs?meta=true',
      '/v1/jobs?pretty',
      '/v1/jobs?per_page=1',
      '/v1/jobs?namespace=*',
    ];
    const first = await Promise.all(paths.map(async (path) => (await call(agent, path)).text));
    expect(new Set(first).size).toBe(paths.length);
    expect(await Promise.all(paths.map(async (path) => (await call(agent, path)).text))).toEqual(first);
    await call(agent, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob('aaa', { Meta: { a: 'b' } }) } });
    for (const path of paths) expect(idsOf(await call(agent, path))).toContain('aaa');
    const one = await call(agent, '/v1/jobs?per_page=1');
    expect(one.headers['x-scheduler-nexttoken']).toBe('default.alpha');
    expect((await call(agent, '/v1/jobs?per_page=1')).headers['x-scheduler-nexttoken']).toBe('default.alpha');
  });
});
