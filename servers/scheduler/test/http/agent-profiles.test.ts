import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import type { AgentConfig } from '../../src/agent/settings/agent-config.js';
import { call, createTestAgent } from '../support/test-agent.js';

let agent: Agent;
afterEach(() => agent.close());

async function open(config: Partial<AgentConfig> = { enableDebug: true }): Promise<Agent> {
  agent = await createTestAgent({ config });
  return agent;
}

describe('GET /v1/agent/pprof', () => {
  it.each([
    [null, false, 403],
    [false, false, 403],
    [true, false, 200],
  ])('with debugging %s and access control %s: %i', async (enableDebug, enabled, status) => {
    const response = await call(await open({ enableDebug, acl: { enabled } }), '/v1/agent/pprof/cmdline');
    expect(response.status).toBe(status);
    if (status === 403) expect(response.text).toBe('Permission denied');
  });

  it('sends the binary form as a file and the text form as text', async () => {
    await open();
    const binary = await call(agent, '/v1/agent/pprof/heap?node_id=&server_id=&seconds=0');
    expect(binary.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="heap"',
      'x-content-type-options': 'nosniff',
    });
    const text = await call(agent, '/v1/agent/pprof/heap?debug=1');
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.headers).not.toHaveProperty('content-disposition');
    expect(text.text).toContain('inuse_space/bytes');
  });

  it('lists the current request among those in flight', async () => {
    const { text } = await call(await open(), '/v1/agent/pprof/goroutine?debug=2');
    expect(text).toContain('GET /v1/agent/pprof/goroutine, for 0 ms');
  });

  it.each([
    ['', 404, 'Invalid method'],
    ['nope', 404, 'Pprof profile not found profile: nope'],
    ['heap?node_id=a&server_id=b', 400, 'Cannot target node and server simultaneously'],
    ['profile?seconds=abc', 400, 'seconds must be a whole number, got "abc"'],
    ['trace?seconds=-1', 400, 'seconds must be a whole number, got "-1"'],
    ['profile?seconds=86400', 400, 'A profile takes at most 3600 seconds, not 86400'],
  ])('refuses %o', async (rest, status, text) => {
    const response = await call(await open(), `/v1/agent/pprof/${rest}`);
    expect([response.status, response.text]).toEqual([status, text]);
  });

  it('uses the defaults for invalid numbers', async () => {
    const response = await call(await open(), '/v1/agent/pprof/heap?debug=x');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/octet-stream');
  });
});
