import { afterEach, describe, expect, it } from 'vitest';
import { eventTopics, topicNames } from '../../src/services/events/topics.js';
import type { Agent } from '../../src/agent/agent.js';
import { createAclCluster, secretOf, type AclCluster } from '../support/acl-cluster.js';
import { createBaseAgent, minimalJob, nodeIds } from '../support/base-cluster.js';
import { openEventStream, type OpenStream } from '../support/event-stream.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, withQuery, type TestResponse, type TestOptions } from '../support/test-agent.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const path = '/v1/event/stream';
const agents = new Set<Agent>();
afterEach(async () => {
  for (const agent of agents) await agent.close();
  agents.clear();
});

interface Served {
  readonly agent: Agent;
  readonly clock: FakeClock;
  readonly origin: string;
  open(query: string, headers?: Readonly<Record<string, string>>): Promise<OpenStream>;
}

async function serve(options: TestOptions = {}): Promise<Served> {
  const clock = createFakeClock();
  const agent = await createBaseAgent({ clock, ...options });
  agents.add(agent);
  const origin = await agent.listen();
  const open: Served['open'] = (query, headers) =>
    openEventStream(`${origin}${path}?${query}`, clock, headers);
  return { agent, clock, origin, open };
}

const register = (agent: Agent, id: string, more: object = {}): Promise<TestResponse> =>
  call(agent, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob(id, more) } });

const indexOf = (response: TestResponse): number => Number(response.headers['x-scheduler-index']);

describe('GET /v1/event/stream', () => {
  it('starts with its index, and delivers what happens from then on', async () => {
    const { agent, open } = await serve();
    const before = indexOf(await register(agent, 'old'));
    const stream = await open('topic=Job');
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    await stream.until(() => stream.frames().length === 1, 'the first frame');
    expect(stream.frames()).toEqual([{ Index: before, Events: [] }]);
    const index = indexOf(await register(agent, 'new', { Meta: { 'a"b': 'ü' } }));
    await stream.until(() => stream.reported().length === 1, 'the event');
    const job = (await call(agent, '/v1/job/new')).json();
    expect(stream.frames()[1]).toEqual({
      Index: index,
      Events: [
        {
          ...{ Topic: 'Job', Type: 'JobRegistered', Key: 'new', Namespace: 'default', FilterKeys: [] },
          ...{ Index: index, Payload: { Job: job } },
        },
      ],
    });
  });

  const selections: readonly (readonly [query: string, reported: readonly string[]])[] = [
    ['topic=Job', ['JobRegistered web', 'JobRegistered api', 'JobDeregistered web']],
    ['topic=Job:web', ['JobRegistered web', 'JobDeregistered web']],
    ['topic=Job:web&topic=Job:api', ['JobRegistered web', 'JobRegistered api', 'JobDeregistered web']],
    ['topic=Job:none&topic=Job', ['JobRegistered web', 'JobRegistered api', 'JobDeregistered web']],
    ['topic=Job:*', ['JobRegistered web', 'JobRegistered api', 'JobDeregistered web']],
    ['topic=*:api&topic=Node', ['JobRegistered api', 'EvaluationUpdated', 'NodeEligibility']],
    ['topic=Evaluation:api', ['EvaluationUpdated']],
    ['topic=Job&filter=Priority > 60', ['JobRegistered api']],
    ['topic=Job&topic=Node&filter.Job=Priority > 60', ['JobRegistered api', 'NodeEligibility']],
    ['topic=Job&topic=Node&filter.Job=Priority > 60&filter=Name == n9', ['JobRegistered api']],
    ['topic=Job&filter=Meta.team == a', []],
    ['topic=Job&topic=Node&namespace=other', ['NodeEligibility']],
    ['topic=Job&namespace=*', ['JobRegistered web', 'JobRegistered api', 'JobDeregistered web']],
    ['topic=Namespace', []],
  ];
  it.each(selections)('%s', async (query, reported) => {
    const { agent, open } = await serve({ config: { unresolved: 'absent' } });
    const encoded = query
      .split('&')
      .map((pair) => pair.replace(/=(.*)$/s, (_all, value: string) => `=${encodeURIComponent(value)}`));
    const stream = await open(encoded.join('&'));
    await register(agent, 'web');
    await register(agent, 'api', { Priority: 70 });
    await call(agent, '/v1/job/web', { method: 'DELETE' });
    const eligibility = { NodeID: nodeIds[0], Eligibility: 'ineligible' };
    const last = indexOf(
      await call(agent, `/v1/node/${nodeIds[0]}/eligibility`, { method: 'PUT', body: eligibility }),
    );
    // Heartbeats report its progress.
    await stream.until(() => (stream.frames().at(-1)?.Index ?? 0) >= last, 'all of it');
    const types = stream.reported().map((each) => each.replace(/ [0-9a-f-]{36}$/, ''));
    expect(types).toEqual(reported);
  });

  it('sends heartbeats with its progress if no topics are requested', async () => {
    const { agent, clock, open } = await serve();
    const stream = await open('topic=Node');
    await stream.until(() => stream.frames().length === 1, 'the first frame');
    clock.advance(10_000);
    await stream.until(() => stream.frames().length >= 2, 'a sign of life');
    expect(stream.frames()[1]).toEqual({});
    const index = indexOf(await register(agent, 'web'));
    clock.advance(10_000);
    await stream.until(() => (stream.frames().at(-1)?.Index ?? 0) === index, 'the index');
    expect(stream.reported()).toEqual([]);
  });

  it('goes on from an index, itself included, and from the beginning of what is held', async () => {
    const { agent, open } = await serve();
    const first = indexOf(await register(agent, 'a'));
    const second = indexOf(await register(agent, 'b'));
    const from = await open(`topic=Job&index=${second}`);
    await from.until(() => from.reported().length > 0, 'the second');
    expect(from.reported()).toEqual(['JobRegistered b']);
    expect(from.frames()[0]).toEqual({ Index: second - 1, Events: [] });
    const all = await open('topic=Job&index=0');
    await all.until(() => all.reported().length > 1, 'both');
    expect(all.reported().slice(-2)).toEqual(['JobRegistered a', 'JobRegistered b']);
    const ahead = await open(`topic=Job&index=${second + 2}`);
    await register(agent, 'c');
    await register(agent, 'd');
    await register(agent, 'e');
    const received = (): readonly string[] => ahead.reported();
    await ahead.until(() => received().includes('JobRegistered e'), 'what is ahead');
    expect(received()).not.toContain('JobRegistered b');
    expect(first).toBeLessThan(second);
  });

  it('reports a replaced state to clients with a future index, and continues', async () => {
    const { agent, open } = await serve();
    const last = indexOf(await register(agent, 'a'));
    const next = await open(`topic=Job&index=${last + 1}`);
    const beyond = await open(`topic=Job&index=${last + 1_000}`);
    await register(agent, 'b');
    for (const stream of [next, beyond]) {
      await stream.until(() => stream.reported().length > 0, 'the event');
      expect(stream.reported()).toEqual(['JobRegistered b']);
    }
    expect(next.frames()[0]).toEqual({ Index: last, Events: [] });
    expect(beyond.frames()[0]).toMatchObject({ Index: last, Gap: { To: last, Code: 'state-replaced' } });
  });

  it('writes server-sent events, and goes on where the browser says', async () => {
    const { agent, clock, open } = await serve();
    const accept = { accept: 'text/event-stream' };
    const stream = await open('topic=Job&topic=Evaluation', accept);
    expect(stream.response.headers['content-type']).toBe('text/event-stream');
    const first = indexOf(await register(agent, 'a'));
    await stream.until(() => stream.text().includes(`id: ${first}\n`), 'the event');
    const block = (text: string): string => text.replace(/data: \{.*\}/g, 'data: {}');
    expect(block(stream.text())).toBe(
      `retry: 3000\n\nid: ${first - 1}\n\nevent: Job\ndata: {}\n\nevent: Evaluation\ndata: {}\nid: ${first}\n\n`,
    );
    clock.advance(10_000);
    await stream.until(() => stream.text().endsWith('\n\n:\n\n'), 'a sign of life');
    const second = indexOf(await register(agent, 'b'));
    const back = await open('topic=Job&index=1', { ...accept, 'last-event-id': String(first) });
    await back.until(() => back.text().includes(`id: ${second}\n`), 'what was missed');
    expect([...back.text().matchAll(/"Key":"(\w+)"/g)].map(([, key]) => key)).toEqual(['b']);
  });

  it('is sent as it is to those who would take it compressed, and counted while it lasts', async () => {
    const { open, origin } = await serve();
    const stream = await open('topic=Job', { 'accept-encoding': 'gzip' });
    await stream.until(() => stream.frames().length === 1, 'the first frame');
    const count = async (): Promise<string | undefined> => {
      const text = await (await fetch(`${origin}/v1/metrics?format=prometheus`)).text();
      return /scheduler_http_streams\{route="\/v1\/event\/stream"\} (\d+)/.exec(text)?.[1];
    };
    expect(await count()).toBe('1');
    stream.close();
    await until(async () => (await count()) === '0', { what: 'the end of the stream' });
  });

  it('is refused beyond the number of streams that there may be', async () => {
    const { agent, open } = await serve({ config: { maxEventStreams: 1 } });
    const stream = await open('topic=Job');
    expect(await call(agent, path)).toMatchObject({
      status: 429,
      text: 'More than 1 event streams are open, try later',
      headers: { 'retry-after': '1' },
    });
    stream.close();
    await stream.until(stream.isDone, 'the end');
    const again = await open('topic=Job');
    expect(again.response.statusCode).toBe(200);
  });

  it('ends with the agent, and says so', async () => {
    const { agent, open } = await serve();
    const stream = await open('topic=Job');
    await stream.until(() => stream.frames().length === 1, 'the first frame');
    agents.delete(agent);
    await agent.close();
    await stream.until(stream.isDone, 'the end');
    expect(stream.frames().at(-1)?.End?.Code).toBe('server-stopping');
  });

  it('ends where a filter fails for an object, with the reason', async () => {
    const { agent, open } = await serve();
    const stream = await open(`topic=Job&filter=${encodeURIComponent('Periodic.Spec == a')}`);
    await stream.until(() => stream.frames().length === 1, 'the first frame');
    await register(agent, 'web');
    await stream.until(stream.isDone, 'the end');
    expect(stream.frames().at(-1)?.End).toEqual({
      Code: 'filter-failed',
      Message: expect.stringContaining('The filter of topic Job fails for "web": ') as string,
    });
  });
});

describe('invalid requests', () => {
  const refusals: readonly (readonly [query: Readonly<Record<string, string>>, text: string])[] = [
    [{ topic: 'Jobs' }, '"topic=Jobs": there is no topic "Jobs": did you mean Job?'],
    [{ topic: 'job:web' }, '"topic=job:web": there is no topic "job": did you mean Job?'],
    [
      { topic: 'Service' },
      `"topic=Service": there is no topic "Service": expected one of ${topicNames.join(', ')}, or * for all`,
    ],
    [
      { topic: 'Job', 'filter.Node': 'ID == x' },
      'filter.Node: this stream does not have the topic: add topic=Node',
    ],
    [{ topic: 'Job', 'filter.Jbo': 'ID == x' }, '"filter.Jbo": there is no topic "Jbo": expected one of '],
    [{ topic: 'Job', filter: 'Nope == 1' }, 'filter, for topic Job: '],
    [{ topic: 'Node', 'filter.Node': 'SecretID == x' }, 'filter.Node, for topic Node: '],
    [{ filter: 'Priority > 1' }, 'filter, for topic Allocation: '],
    [{ filter: 'Priority >' }, 'filter, for topic Job: '],
    [{ index: '-1' }, 'index: "-1" is no index: expected a whole number such as that of X-Scheduler-Index'],
    [{ index: '9007199254740993' }, 'index: "9007199254740993" is no index: '],
  ];
  it.each(refusals)('%j', async (query, text) => {
    const { agent } = await serve();
    const response = await call(agent, withQuery(path, query));
    expect(response.status).toBe(400);
    expect(response.text.startsWith(text), response.text).toBe(true);
  });

  it('an invalid position of a browser', async () => {
    const { agent } = await serve();
    const response = await call(agent, path, { headers: { 'last-event-id': 'x' } });
    expect([response.status, response.text.startsWith('Last-Event-ID: "x" is no index')]).toEqual([
      400,
      true,
    ]);
  });
});

describe('with access control', () => {
  const rules = {
    reader: 'namespace "default" { policy = "read" }',
    lister: 'namespace "default" { capabilities = ["list-jobs"] }',
    nodes: 'node { policy = "read" }',
  };

  async function serveAcl(): Promise<AclCluster & { clock: FakeClock; origin: string }> {
    const clock = createFakeClock();
    const cluster = await createAclCluster(rules, { clock });
    agents.add(cluster.agent);
    return { ...cluster, clock, origin: await cluster.agent.listen() };
  }

  const rights: readonly (readonly [query: string, allowed: readonly string[]])[] = [
    ['topic=Job', ['mgmt', 'reader']],
    ['topic=Allocation&topic=Evaluation&topic=Deployment', ['mgmt', 'reader']],
    ['topic=Job&namespace=*', ['mgmt', 'reader']],
    ['topic=Job&namespace=apps', ['mgmt']],
    ['topic=Node', ['mgmt', 'nodes']],
    ['topic=Node&topic=Job', ['mgmt']],
    ['topic=Namespace', ['mgmt', 'reader', 'lister', 'nodes', '']],
    ['topic=ACLToken', ['mgmt']],
    ['topic=ACLPolicy:x', ['mgmt']],
    ['', ['mgmt']],
    ['topic=*', ['mgmt']],
  ];
  it('each topic needs its right', async () => {
    const { clock, origin, tokens } = await serveAcl();
    for (const [query, allowed] of rights) {
      for (const name of ['mgmt', ...Object.keys(rules), '']) {
        const secret = tokens.get(name) ?? '';
        const headers = secret === '' ? {} : { 'x-scheduler-token': secret };
        const stream = await openEventStream(`${origin}${path}?${query}`, clock, headers);
        const { statusCode } = stream.response;
        stream.close();
        expect(statusCode, `${query} as ${name}`).toBe(allowed.includes(name) ? 200 : 403);
      }
    }
    const unknown = await openEventStream(`${origin}${path}?topic=Namespace`, clock, {
      'x-scheduler-token': 'x',
    });
    expect(unknown.response.statusCode).toBe(403);
    unknown.close();
    expect(new Set(eventTopics.map(({ right }) => right)).size).toBe(4);
  });

  it('delivers only readable namespaces, and no secret', async () => {
    const { sendAs, clock, origin, tokens } = await serveAcl();
    const open = (name: string, query: string): Promise<OpenStream> =>
      openEventStream(`${origin}${path}?${query}`, clock, { 'x-scheduler-token': tokens.get(name) ?? '' });
    const reader = await open('reader', 'topic=Job&topic=Namespace&namespace=*');
    const all = await open('mgmt', 'namespace=*');
    const register2 = (Namespace: string, ID: string): Promise<TestResponse> =>
      sendAs('mgmt', '/v1/jobs', { method: 'PUT', body: { Job: minimalJob(ID, { Namespace }) } });
    await register2('apps', 'hidden');
    await register2('default', 'seen');
    const made = await sendAs('mgmt', '/v1/acl/token', {
      method: 'PUT',
      body: { Name: 'fresh', Type: 'client', Policies: ['reader'] },
    });
    for (const Name of ['default', 'apps']) {
      await sendAs('mgmt', '/v1/namespace', { method: 'PUT', body: { Name, Description: 'x' } });
    }
    await reader.until(() => reader.reported().length >= 2, 'what the reader sees');
    await all.until(() => all.reported().includes('NamespaceUpserted apps'), 'all of it');
    expect(reader.reported()).toEqual(['JobRegistered seen', 'NamespaceUpserted default']);
    expect(all.reported()).toContain('JobRegistered hidden');
    const token = all
      .frames()
      .flatMap(({ Events = [] }) => Events.filter(({ Topic }) => Topic === 'ACLToken'));
    expect(token.map(({ Type }) => Type)).toEqual(['ACLTokenUpserted']);
    expect(all.text()).toContain('"Name":"fresh"');
    expect(all.text()).not.toContain(secretOf(made));
    expect(all.text()).not.toMatch(/SecretHash|set-but-never-shown/);
  });

  const endings: readonly (readonly [
    what: string,
    code: string,
    change: (cluster: AclCluster & { clock: FakeClock }, accessor: string) => Promise<unknown>,
  ])[] = [
    [
      'the token is deleted',
      'token-ended',
      ({ sendAs }, accessor) => sendAs('mgmt', `/v1/acl/token/${accessor}`, { method: 'DELETE' }),
    ],
    [
      'its policy gives something else',
      'rights-changed',
      ({ sendAs }) =>
        sendAs('mgmt', '/v1/acl/policy/reader', {
          method: 'PUT',
          body: { Rules: `${rules.reader} ${rules.nodes}` },
        }),
    ],
    [
      'its policy gives less than is asked',
      'token-ended',
      ({ sendAs }) =>
        sendAs('mgmt', '/v1/acl/policy/reader', { method: 'PUT', body: { Rules: rules.lister } }),
    ],
    [
      'its policy is gone',
      'token-ended',
      ({ sendAs }) => sendAs('mgmt', '/v1/acl/policy/reader', { method: 'DELETE' }),
    ],
    [
      'it has other policies',
      'token-ended',
      ({ sendAs }, accessor) =>
        sendAs('mgmt', `/v1/acl/token/${accessor}`, {
          method: 'PUT',
          body: { Name: 'x', Type: 'client', Policies: ['nodes'], ExpirationTTL: '' },
        }),
    ],
    ['its time is over', 'token-ended', async ({ clock }) => clock.advance(3_600_000)],
  ];
  it.each(endings)('ends when %s', async (_what, code, change) => {
    const cluster = await serveAcl();
    const { sendAs, clock, origin } = cluster;
    const body = { Name: 'x', Type: 'client', Policies: ['reader'], ExpirationTTL: '1h' };
    const made = await sendAs('mgmt', '/v1/acl/token', { method: 'PUT', body });
    const stream = await openEventStream(`${origin}${path}?topic=Job`, clock, {
      authorization: `Bearer ${secretOf(made)}`,
    });
    await stream.until(() => stream.frames().length === 1, 'the first frame');
    // What concerns others does not end it.
    await sendAs('mgmt', '/v1/acl/policy/nodes', { method: 'PUT', body: { Rules: rules.nodes } });
    await sendAs('mgmt', '/v1/jobs', { method: 'PUT', body: { Job: minimalJob('before') } });
    await stream.until(() => stream.reported().length === 1, 'an event before');
    const { AccessorID } = made.json() as { readonly AccessorID: string };
    await change(cluster, AccessorID);
    await sendAs('mgmt', '/v1/jobs', { method: 'PUT', body: { Job: minimalJob('after') } });
    await stream.until(stream.isDone, 'the end');
    expect(stream.reported()).toEqual(['JobRegistered before']);
    expect(stream.frames().at(-1)?.End?.Code).toBe(code);
  });
});
