import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import type { Sample } from '../../src/services/metrics/sample.js';
import { createAclCluster } from '../support/acl-cluster.js';
import { createBaseAgent } from '../support/base-cluster.js';
import { call, createTestAgent } from '../support/test-agent.js';

const open = new Set<Agent>();
afterEach(async () => {
  for (const agent of open) await agent.close();
  open.clear();
});

async function openBase(): Promise<Agent> {
  const agent = await createBaseAgent();
  open.add(agent);
  return agent;
}

interface Summary {
  readonly Timestamp: string;
  readonly Gauges: readonly { Name: string; Value: number; Labels: Record<string, string> }[];
  readonly Counters: readonly { Name: string; Count: number; Labels: Record<string, string> }[];
  readonly Samples: readonly (Sample & { Name: string; Labels: object })[];
}

const prometheus = async (agent: Agent): Promise<string> =>
  (await call(agent, '/v1/metrics?format=prometheus')).text;

/** The value of one line. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

describe('metrics', () => {
  it('count requests by route and status, in the words of the agent only', async () => {
    const agent = await openBase();
    for (let at = 0; at < 3; at += 1) {
      await call(agent, `/v1/job/made-up-${at}`);
      await call(agent, `/nowhere/${at}?secret=${at}`);
    }
    await call(agent, '/v1/job/alpha');
    const text = await prometheus(agent);
    const route = (path: string, status: number): string =>
      `scheduler_http_requests_total{method="GET",route="${path}",status="${status}"}`;
    expect(valueOf(text, route('/v1/job/{job_id}', 404))).toBe(3);
    expect(valueOf(text, route('/v1/job/{job_id}', 200))).toBe(1);
    expect(valueOf(text, route('none', 404))).toBe(3);
    expect(text).not.toMatch(/made-up|nowhere|secret/);
    expect(valueOf(text, 'scheduler_http_request_duration_seconds_count{route="/v1/job/{job_id}"}')).toBe(4);
    expect(text).toContain(
      'scheduler_http_request_duration_seconds_bucket{le="0.001",route="/v1/job/{job_id}"}',
    );
  });

  it('report what the state holds and who waits for it', async () => {
    const agent = await openBase();
    const index = agent.state.snapshot().tableIndexes.nodes;
    const waiting = call(agent, `/v1/nodes?index=${index + 1}`);
    await call(agent, '/v1/jobs?filter=ID+==+alpha');
    await call(agent, '/v1/jobs?filter=ID+==+bravo');
    const text = await prometheus(agent);
    expect(valueOf(text, 'scheduler_blocking_queries')).toBe(1);
    // The one that waits, and this one.
    expect(valueOf(text, 'scheduler_http_requests_in_flight')).toBe(2);
    expect(valueOf(text, 'scheduler_table_rows{table="nodes"}')).toBe(2);
    expect(valueOf(text, 'scheduler_table_rows{table="jobs"}')).toBe(4);
    expect(valueOf(text, 'scheduler_table_index{table="nodes"}')).toBe(index);
    expect(valueOf(text, 'scheduler_state_index')).toBe(agent.state.snapshot().index);
    expect(valueOf(text, 'scheduler_filter_cache_filters{list="/v1/jobs"}')).toBe(2);
    agent.blocking.stop();
    await waiting;
    const after = await prometheus(agent);
    expect(valueOf(after, 'scheduler_blocking_queries')).toBe(0);
    // How long nothing happened is no duration of a request.
    expect(after).not.toContain('scheduler_http_request_duration_seconds_count{route="/v1/nodes"}');
  });

  it('report the pending work of the workers', async () => {
    const agent = await createTestAgent({
      config: { server: { ...defaultAgentConfig.server, numSchedulers: 0, pauseEvalBroker: false } },
    });
    open.add(agent);
    const Job = {
      ID: 'web',
      Datacenters: ['dc1'],
      TaskGroups: [{ Name: 'g', Tasks: [{ Name: 't', Driver: 'docker' }] }],
    };
    await call(agent, '/v1/jobs', { method: 'PUT', body: { Job } });
    const text = await prometheus(agent);
    expect(valueOf(text, 'scheduler_evaluations_held{state="ready"}')).toBe(1);
    expect(valueOf(text, 'scheduler_evaluations_held{state="outstanding"}')).toBe(0);
  });

  it('report the state of the runtime', async () => {
    const text = await prometheus(await openBase());
    for (const percentile of [50, 90, 99, 100]) {
      expect(
        valueOf(text, `scheduler_event_loop_delay_seconds{percentile="${percentile}"}`),
      ).toBeGreaterThanOrEqual(0);
    }
    expect(valueOf(text, 'scheduler_memory_bytes{kind="heap_used"}')).toBeGreaterThan(1_000_000);
  });

  it('are well-formed, each series once', async () => {
    const agent = await openBase();
    await call(agent, '/v1/jobs');
    const response = await call(agent, '/v1/metrics?format=prometheus');
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = response.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines)
      expect(line).toMatch(/^scheduler_[a-z_]+(\{([a-z]+="[^"\\]*",?)+\})? -?[0-9.e+-]+$/);
    const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(series).size).toBe(series.length);
    for (const name of new Set(series.map((line) => line.replace(/(_bucket|_sum|_count)?(\{.*)?$/, '')))) {
      expect(response.text).toContain(`# HELP ${name} `);
      expect(response.text).toContain(`# TYPE ${name} `);
    }
  });

  it('come as an object too', async () => {
    const agent = await openBase();
    await call(agent, '/v1/regions');
    const response = await call(agent, '/v1/metrics');
    expect(response.headers['content-type']).toBe('application/json');
    const { Timestamp, Gauges, Counters, Samples } = response.json() as Summary;
    expect(Timestamp).toBe('2023-11-14 22:13:20 +0000 UTC');
    expect(Gauges).toContainEqual({ Name: 'scheduler_table_rows', Value: 4, Labels: { table: 'jobs' } });
    expect(Counters).toContainEqual({
      Name: 'scheduler_http_requests_total',
      ...{ Count: 1, Sum: 1, Min: 1, Max: 1, Mean: 1, Stddev: 0 },
      Labels: { method: 'GET', route: '/v1/regions', status: '200' },
    });
    const regions = Samples.find(({ Labels }) => JSON.stringify(Labels) === '{"route":"/v1/regions"}');
    expect(regions).toMatchObject({ Name: 'scheduler_http_request_duration_seconds', Count: 1 });
    expect(regions).toMatchObject({ Min: regions?.Sum, Max: regions?.Sum, Mean: regions?.Sum, Stddev: 0 });
    await call(agent, '/v1/regions');
    const { Samples: later } = (await call(agent, '/v1/metrics')).json() as Summary;
    const twice = later.find(({ Labels }) => JSON.stringify(Labels) === '{"route":"/v1/regions"}');
    expect(twice?.Count).toBe(2);
    expect(twice?.Min).toBeLessThanOrEqual(twice?.Mean ?? 0);
    expect(twice?.Max).toBeGreaterThanOrEqual(twice?.Mean ?? 0);
  });

  it('know two forms', async () => {
    const response = await call(await openBase(), '/v1/metrics?format=xml');
    expect([response.status, response.text]).toEqual([
      400,
      'Unknown format "xml": expected json or prometheus',
    ]);
  });

  it('are for those who may read the agent', async () => {
    const { agent, sendAs } = await createAclCluster();
    open.add(agent);
    expect((await sendAs('', '/v1/metrics')).status).toBe(403);
    expect((await sendAs('node_read', '/v1/metrics')).status).toBe(403);
    expect((await sendAs('agent_read', '/v1/metrics')).status).toBe(200);
  });

  it('are those of one agent', async () => {
    const [one, other] = [await openBase(), await openBase()];
    await call(one, '/v1/regions');
    expect(await prometheus(other)).not.toContain('/v1/regions');
  });
});
