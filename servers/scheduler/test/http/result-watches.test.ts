import type { RowChange } from '@tamis/scheduler-state/state/change-feed.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTimeSlicer, eventLoop } from '@tamis/http';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';
import { summariseJob } from '@tamis/scheduler-model/job-summary.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { jobs } from '@tamis/scheduler-model/jobs.js';
import { openResultWatches, type WatchedQuery } from 'tamis/query';
import { openState } from '@tamis/scheduler-state/state/state.js';
import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createAclCluster, type AclCluster } from '../support/acl-cluster.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, createTestAgent, withQuery, type TestResponse } from '../support/test-agent.js';
import { until } from '../../../scheduler-model/test/support/until.js';

/** Milliseconds. */
const submitted = 1_700_000_000_000;

type Query = Readonly<Record<string, string>>;

interface JobChange {
  readonly ID: string;
  readonly Namespace?: string;
  readonly Priority?: number;
  readonly Status?: 'running' | 'dead';
}

/** Puts a job with its summary, as registering does. */
function putJob(
  transaction: Transaction,
  { ID, Namespace = 'default', Priority = 50, Status = 'running' }: JobChange,
): void {
  const { index } = transaction;
  const known = transaction.get('jobs', jobKey({ Namespace, ID }));
  const complete = completeJob(
    { ID, Name: ID, Datacenters: ['dc1'], Priority },
    { namespace: Namespace, region: 'global' },
  );
  const job: Job = {
    ...complete,
    Status,
    SubmitTime: BigInt(submitted) * 1_000_000n,
    CreateIndex: known?.CreateIndex ?? index,
    ModifyIndex: index,
    JobModifyIndex: index,
  };
  transaction.put('jobs', job);
  if (known === null) transaction.put('job_summaries', summariseJob(job, null, index));
}

/** Counts in the summary of a job. */
function count(transaction: Transaction, key: string): void {
  const job = transaction.get('jobs', key);
  if (job === null) return;
  const summary = summariseJob(job, transaction.get('job_summaries', key), transaction.index);
  transaction.put('job_summaries', {
    ...summary,
    Children: { Pending: transaction.index, Running: 0, Dead: 0 },
  });
}

/** Gives everybody who has something to do the time for it. */
async function settle(clock: FakeClock): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) {
    clock.runSoon();
    await nextTurn();
  }
}

/** A request that waits. */
class Waiting {
  response: TestResponse | null = null;

  constructor(requests: Promise<TestResponse>) {
    void requests.then((response) => (this.response = response));
  }
}

const indexOf = ({ headers }: TestResponse): string => String(headers['x-scheduler-index']);

// What lists load when it is first needed takes real time, and the clock below gives none.
beforeAll(async () => {
  const agent = await createTestAgent();
  expect((await call(agent, '/v1/jobs?facets=Priority')).status).toBe(200);
  await agent.close();
});

describe('a watched result', () => {
  let clock = createFakeClock(submitted);
  let agent: Agent | null = null;
  afterEach(async () => {
    await agent?.close();
    agent = null;
  });

  async function open(
    ...jobs: readonly JobChange[]
  ): Promise<{ readonly agent: Agent; write(action: (transaction: Transaction) => void): Promise<void> }> {
    clock = createFakeClock(submitted);
    const opened = await createTestAgent({ clock });
    agent = opened;
    const write = async (action: (transaction: Transaction) => void): Promise<void> => {
      await opened.state.write(action);
      await settle(clock);
    };
    await write((transaction) => jobs.forEach((job) => putJob(transaction, job)));
    return { agent: opened, write };
  }

  /** Requests the list, and then waits for another result. */
  async function watch(of: Agent, query: Query, path = '/v1/jobs'): Promise<Waiting> {
    const first = await call(of, withQuery(path, { ...query, watch: 'result' }));
    expect(first.status).toBe(200);
    const waiting = new Waiting(
      call(of, withQuery(path, { ...query, watch: 'result', wait: '1m', index: indexOf(first) })),
    );
    await settle(clock);
    expect(waiting.response).toBeNull();
    return waiting;
  }

  const a = { ID: 'a', Priority: 10 };
  const b = { ID: 'b', Priority: 20 };
  const c = { ID: 'c', Priority: 30 };
  const d = { ID: 'd', Priority: 40 };
  const foreign = { ID: 'a', Namespace: 'apps' };
  const running = { filter: 'Status == "running"' };

  it.each<[what: string, query: Query, change: (transaction: Transaction) => void, isOther: boolean]>([
    ['a row changes', {}, (t) => putJob(t, b), true],
    ['a row comes', {}, (t) => putJob(t, { ID: 'e' }), true],
    ['a row goes', {}, (t) => t.delete('jobs', 'default.b'), true],
    ['what a row shows of another table changes', {}, (t) => count(t, 'default.b'), true],
    ['a row of another namespace changes', {}, (t) => putJob(t, foreign), false],
    ['a row of any namespace changes', { namespace: '*' }, (t) => putJob(t, foreign), true],
    ['a row that matches changes', running, (t) => putJob(t, b), true],
    ['a row enters the filter', { filter: 'Priority > 45' }, (t) => putJob(t, { ...b, Priority: 46 }), true],
    ['a row leaves the filter', running, (t) => putJob(t, { ...b, Status: 'dead' }), true],
    ['a row that does not match changes', { filter: 'Priority > 45' }, (t) => putJob(t, b), false],
    [
      'a row comes that does not match',
      { filter: 'Priority > 45' },
      (t) => putJob(t, { ID: 'e', Priority: 1 }),
      false,
    ],
    ['a row with the prefix changes', { prefix: 'b' }, (t) => putJob(t, b), true],
    ['a row without the prefix changes', { prefix: 'b' }, (t) => putJob(t, c), false],
    ['a row on the page changes', { per_page: '2' }, (t) => putJob(t, b), true],
    ['the row that the next page begins with changes', { per_page: '2' }, (t) => putJob(t, c), false],
    [
      'the row that the next page begins with goes',
      { per_page: '2' },
      (t) => t.delete('jobs', 'default.c'),
      true,
    ],
    ['a row behind the page changes', { per_page: '2' }, (t) => putJob(t, d), false],
    ['a row behind the page goes', { per_page: '2' }, (t) => t.delete('jobs', 'default.d'), false],
    ['a row comes between the page and the next', { per_page: '2' }, (t) => putJob(t, { ID: 'bb' }), true],
    [
      'a row before the page goes',
      { per_page: '2', next_token: 'default.b' },
      (t) => t.delete('jobs', 'default.a'),
      false,
    ],
    [
      'a row comes behind the last page',
      { per_page: '2', next_token: 'default.d' },
      (t) => putJob(t, { ID: 'e' }),
      true,
    ],
    ['a row on the page changes, in reverse', { per_page: '2', reverse: 'true' }, (t) => putJob(t, c), true],
    [
      'a row behind the page changes, in reverse',
      { per_page: '2', reverse: 'true' },
      (t) => putJob(t, a),
      false,
    ],
    [
      'a row changes on a page of what matches',
      { per_page: '1', filter: 'Priority > 15' },
      (t) => putJob(t, b),
      true,
    ],
    [
      'a row enters before a page of what matches',
      { per_page: '1', filter: 'Priority > 15' },
      (t) => putJob(t, { ...a, Priority: 16 }),
      true,
    ],
    [
      'a row that nobody sees comes and goes',
      {},
      (t) => {
        putJob(t, { ID: 'e' });
        t.delete('jobs', 'default.e');
        t.delete('job_summaries', 'default.e');
      },
      false,
    ],
  ])('%s: %j', async (_what, query, change, isOther) => {
    const { agent: requests, write } = await open(a, b, c, d);
    const waiting = await watch(requests, query);
    await write(change);
    expect(waiting.response !== null).toBe(isOther);
    if (!isOther) {
      clock.advance(64_000);
      await until(() => waiting.response !== null);
    }
    const plain = await call(requests, withQuery('/v1/jobs', query));
    expect(waiting.response?.text).toBe(plain.text);
    expect(waiting.response?.headers['x-scheduler-index']).toBe(plain.headers['x-scheduler-index']);
    expect(waiting.response?.headers['x-scheduler-nexttoken']).toBe(plain.headers['x-scheduler-nexttoken']);
  });

  it.each<[what: string, query: Query, change: (transaction: Transaction) => void, reported: object]>([
    ['a row changes', {}, (t) => putJob(t, b), { Changed: ['b'] }],
    ['a summary changes', {}, (t) => count(t, 'default.b'), { Changed: ['b'] }],
    [
      'rows come, change and go',
      {},
      (t) => {
        putJob(t, { ID: 'e' });
        putJob(t, c);
        t.delete('jobs', 'default.a');
      },
      { Entered: ['e'], Changed: ['c'], Left: ['a'] },
    ],
    [
      'a row enters the filter, another leaves',
      { filter: 'Priority > 15' },
      (t) => {
        putJob(t, { ...a, Priority: 90 });
        putJob(t, { ...d, Priority: 1 });
      },
      { Entered: ['a'], Left: ['d'] },
    ],
    [
      'a row moves others behind the page',
      { per_page: '2' },
      (t) => putJob(t, { ID: 'aa' }),
      { Entered: ['aa'], Left: ['b'] },
    ],
    [
      'a row goes and makes room',
      { per_page: '2' },
      (t) => t.delete('jobs', 'default.a'),
      { Entered: ['c'], Left: ['a'] },
    ],
    [
      'the same in reverse',
      { per_page: '2', reverse: 'true' },
      (t) => t.delete('jobs', 'default.d'),
      { Entered: ['b'], Left: ['d'] },
    ],
    ['the next page begins elsewhere', { per_page: '2' }, (t) => putJob(t, { ID: 'bb' }), {}],
  ])('is delivered as changes: %s', async (_what, query, change, reported) => {
    const { agent: requests, write } = await open(a, b, c, d);
    const waiting = await watch(requests, { ...query, changes: 'true' });
    await write(change);
    const { response } = waiting;
    const body = response?.json() as Readonly<Record<'Entered' | 'Left' | 'Changed', readonly Job[]>>;
    const ids = Object.entries(body).map(([name, rows]) => [name, rows.map(({ ID }) => ID)]);
    expect(Object.fromEntries(ids)).toEqual({ Entered: [], Left: [], Changed: [], ...reported });
    for (const row of body.Left) expect(row).toEqual({ ID: row.ID, Namespace: 'default' });
    const plain = await call(requests, withQuery('/v1/jobs', query));
    const entries = plain.json() as readonly Job[];
    for (const row of [...body.Entered, ...body.Changed]) expect(entries).toContainEqual(row);
    expect(response?.headers['x-scheduler-nexttoken']).toBe(plain.headers['x-scheduler-nexttoken']);
  });

  it('has no changes at the end of the wait', async () => {
    const { agent: requests, write } = await open(a, b);
    const waiting = await watch(requests, { changes: 'true', filter: 'Priority > 15' });
    await write((t) => putJob(t, a));
    clock.advance(64_000);
    await until(() => waiting.response !== null);
    expect(waiting.response?.json()).toEqual({ Entered: [], Left: [], Changed: [] });
  });

  it('is returned immediately to late clients, with the changes since, while these are known', async () => {
    const { agent: requests, write } = await open(a, b);
    const first = await call(requests, '/v1/jobs');
    await write((t) => putJob(t, { ID: 'c' }));
    const late = { watch: 'result', changes: 'true', index: indexOf(first) };
    expect((await call(requests, withQuery('/v1/jobs', late))).json()).toMatchObject({
      Entered: [{ ID: 'c' }],
      Left: [],
      Changed: [],
    });
    await write((t) => {
      for (let at = 0; at < 5_000; at += 1) t.put('namespaces', { Name: `n${at}` } as never);
      for (let at = 0; at < 2_500; at += 1) putJob(t, { ID: `j${at}`, Namespace: 'apps' });
    });
    // More than anybody judges one by one: the whole page.
    expect((await call(requests, withQuery('/v1/jobs', late))).json()).toHaveLength(3);
  });

  it('is returned immediately for a future index: of a state that was replaced', async () => {
    const { agent: requests } = await open(a, b);
    const first = await call(requests, '/v1/jobs');
    const index = String(Number(indexOf(first)) + 1_000);
    const response = await call(requests, withQuery('/v1/jobs', { watch: 'result', wait: '1m', index }));
    expect([indexOf(response), response.json()]).toEqual([indexOf(first), first.json()]);
  });

  it('is refused by a server that stops, where it is not another one', async () => {
    const { agent: requests, write } = await open(a, b);
    const waiting = await watch(requests, {});
    const plain = new Waiting(
      call(requests, withQuery('/v1/jobs', { wait: '1m', index: indexOf(await call(requests, '/v1/jobs')) })),
    );
    await settle(clock);
    requests.blocking.stop();
    await until(() => waiting.response !== null && plain.response !== null);
    expect([waiting.response?.status, waiting.response?.text]).toEqual([
      503,
      'The agent is stopping; use another one',
    ]);
    expect(plain.response?.status).toBe(200);
    await write((t) => putJob(t, { ID: 'c' }));
  });

  it('evaluates clock-dependent filters again at each write, and not in between', async () => {
    const { agent: requests, write } = await open(a, b);
    const waiting = await watch(requests, { filter: 'Name == "a" and SubmitTime < now - 40s' });
    clock.advance(30_000);
    await write((t) => count(t, 'default.b'));
    expect(waiting.response).toBeNull();
    clock.advance(20_000);
    await settle(clock);
    expect(waiting.response).toBeNull();
    await write((t) => count(t, 'default.b'));
    expect(waiting.response?.json()).toMatchObject([{ ID: 'a' }]);
  });

  it.each([
    [
      { watch: 'all' },
      'Expect `result` for `watch` query string parameter, not "all"; without it, every write to the table ends the wait',
    ],
    [{ changes: 'true' }, '`changes` requires `watch=result`'],
    [
      { watch: 'result', changes: 'maybe' },
      'Failed to parse value of "changes" (maybe) as a bool: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      { watch: 'result', explain: 'true' },
      '`explain` tells how rows are found, which cannot be watched: remove `watch` or `explain`',
    ],
  ])('is not watched as %j', async (query, text) => {
    const { agent: requests } = await open();
    expect(await call(requests, withQuery('/v1/jobs', query as Query))).toMatchObject({ status: 400, text });
  });
});

describe('those who watch results', () => {
  it('are woken where changes can be looked at no more', async () => {
    const clock = createFakeClock();
    const state = await openState({ storage: createMemoryStorage(), clock });
    const slices = createTimeSlicer(eventLoop);
    const list = { tables: ['jobs'] as const, key: jobKey };
    const { schema } = jobs;
    const watches = await openResultWatches<Job, RowChange, Snapshot>(
      { schema, unresolved: 'error' },
      { state, slices, clock, list },
    );
    const params: WatchedQuery<Job> = {
      ...{ key: 'all', filter: '', matches: () => true, isSelected: () => true, digest: null },
      page: { placeOf: () => 'page', isExact: true, compare: () => 0 },
    };
    const woken: (number | null)[] = [];
    const wake = (known: number | null): void => void woken.push(known);
    watches.watch(params, { hasSamePermissions: () => true, wake }, null);
    slices.stop(new Error('The agent stops'));
    await state.write((transaction) => putJob(transaction, { ID: 'a', Namespace: 'apps' }));
    await until(() => woken.length > 0);
    expect(woken).toEqual([null]);
    expect(watches.size).toBe(0);
    await state.close();
  });
});

describe('a watched result and the rights of who watches it', () => {
  const clock = createFakeClock();
  const policy = (namespace: string): { readonly Rules: string } => ({ Rules: rightsOf(namespace) });

  it.each<[what: string, write: (cluster: AclCluster) => Promise<unknown>, status: number | null]>([
    [
      'the own policy',
      ({ sendAs }) => sendAs('mgmt', '/v1/acl/policy/own', { method: 'PUT', body: policy('apps') }),
      403,
    ],
    [
      'the policy of others',
      ({ sendAs }) => sendAs('mgmt', '/v1/acl/policy/other', { method: 'PUT', body: policy('apps') }),
      null,
    ],
    ['the policies of the own token', (cluster) => setPolicies(cluster, 'own', ['other', 'own']), 200],
    ['the policies of a foreign token', (cluster) => setPolicies(cluster, 'other', ['own']), null],
    ['the own token, which is deleted', (cluster) => deleteToken(cluster, 'own'), 403],
    ['a foreign token, which is deleted', (cluster) => deleteToken(cluster, 'other'), null],
  ])('%s', async (_what, write, status) => {
    const rules = { own: rightsOf('default'), other: rightsOf('default') };
    const cluster = await createAclCluster(rules, { clock });
    const first = await cluster.sendAs('own', '/v1/jobs?watch=result');
    const query = { watch: 'result', wait: '1m', index: indexOf(first) };
    const waiting = new Waiting(cluster.sendAs('own', withQuery('/v1/jobs', query)));
    await settle(clock);
    expect(waiting.response).toBeNull();
    await write(cluster);
    await settle(clock);
    expect(waiting.response?.status ?? null).toBe(status);
    await cluster.agent.close();
  });
});

async function tokenPath({ sendAs }: AclCluster, name: string): Promise<string> {
  const tokens = (await sendAs('mgmt', '/v1/acl/tokens')).json() as readonly Readonly<
    Record<string, string>
  >[];
  return `/v1/acl/token/${String(tokens.find(({ Name }) => Name === name)?.AccessorID)}`;
}

async function setPolicies(cluster: AclCluster, name: string, Policies: readonly string[]): Promise<void> {
  const path = await tokenPath(cluster, name);
  const body = { AccessorID: path.split('/').at(-1), Name: name, Type: 'client', Policies };
  expect(await cluster.sendAs('mgmt', path, { method: 'PUT', body })).toMatchObject({ status: 200 });
}

async function deleteToken(cluster: AclCluster, name: string): Promise<void> {
  const path = await tokenPath(cluster, name);
  expect(await cluster.sendAs('mgmt', path, { method: 'DELETE' })).toMatchObject({ status: 200 });
}

const shared: readonly Query[] = [
  {},
  { filter: 'Status == "running"' },
  { filter: 'Priority > 50' },
  { filter: 'Status != "dead" and Priority != 50' },
  { prefix: 'a' },
];
const page: fc.Arbitrary<Query> = fc.record(
  {
    per_page: fc.constantFrom('1', '2', '3'),
    reverse: fc.constant('true'),
    next_token: fc.constantFrom('default.b', 'apps.a'),
  },
  { requiredKeys: [] },
);
const client = fc.record({
  query: fc
    .tuple(fc.constantFrom(...shared), fc.constantFrom('', 'apps', '*'), page)
    .map(([query, namespace, paging]): Query => ({
      ...query,
      ...paging,
      ...(namespace === '' ? {} : { namespace }),
    })),
  token: fc.constantFrom('mgmt', 'reader'),
  isAtFollower: fc.boolean(),
  isReported: fc.boolean(),
  /** Number of steps between its polls. */
  pause: fc.nat(2),
});
const change = fc.record({
  kind: fc.constantFrom('put', 'put', 'put', 'delete', 'count', 'other', 'rights'),
  ID: fc.constantFrom('a', 'ab', 'b', 'c', 'd'),
  Namespace: fc.constantFrom('default', 'apps'),
  Priority: fc.constantFrom(10, 50, 90),
  Status: fc.constantFrom('running' as const, 'dead' as const),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const rightsOf = (namespace: string): string => `namespace "${namespace}" { capabilities = ["list-jobs"] }`;

function apply(transaction: Transaction, { kind, ...job }: Change): void {
  const key = jobKey(job);
  const { index } = transaction;
  if (kind === 'put') putJob(transaction, job);
  if (kind === 'delete') {
    transaction.delete('jobs', key);
    transaction.delete('job_summaries', key);
  }
  if (kind === 'count') count(transaction, key);
  if (kind === 'other') transaction.put('namespaces', { ...createNamespace('other', '', index) });
  const policy = kind === 'rights' ? transaction.get('acl_policies', 'reader') : null;
  if (policy !== null)
    transaction.put('acl_policies', { ...policy, Rules: rightsOf(job.Namespace), ModifyIndex: index });
}

type Entry = Pick<Job, 'ID' | 'Namespace'>;
type Changes = Readonly<Record<'Entered' | 'Left' | 'Changed', readonly Entry[]>>;

/** A client that watches a result, and what it has of it. */
class Watcher {
  readonly query: Query;
  /** What it would have got by polling at its last response. */
  #polled = '';
  #rows = new Map<string, Entry>();
  #index = '';
  #waiting: Waiting | null = null;
  #idle = 0;
  #isExcused = false;

  constructor(
    readonly send: (path: string) => Promise<TestResponse>,
    readonly settle: () => Promise<void>,
    readonly given: typeof client extends fc.Arbitrary<infer T> ? T : never,
  ) {
    this.query = { ...given.query, stale: 'true' };
  }

  /** Sends a request, and reads the response if it comes immediately. */
  async begin(): Promise<void> {
    const isFirst = this.#index === '';
    const waits = isFirst ? {} : { index: this.#index, wait: '10m' };
    const reported = this.given.isReported ? { changes: 'true' } : {};
    const path = withQuery('/v1/jobs', { ...this.query, ...reported, ...waits, watch: 'result' });
    this.#waiting = new Waiting(this.send(path));
    await this.settle();
    await this.#finish(isFirst || this.#isExcused);
  }

  /** After a change and the time that it needs. */
  async check(affectsPermissions: boolean): Promise<void> {
    if (this.#waiting === null) {
      // A later client gets a response if any policy differs; a waiting one knows its own rights.
      this.#isExcused ||= affectsPermissions;
      if ((this.#idle += 1) > this.given.pause) await this.begin();
    } else await this.#finish(affectsPermissions && this.given.token === 'reader');
  }

  /** It has got a response if, and only if, there is something new to it. */
  async #finish(isExcused: boolean): Promise<void> {
    const plain = await this.send(withQuery('/v1/jobs', this.query));
    const now = textOf(plain);
    const waiting = this.#waiting;
    const what = `an answer to ${JSON.stringify(this.given)}`;
    if (now !== this.#polled) await until(() => waiting?.response !== null, { what });
    else if (!isExcused) expect(waiting?.response).toBeNull();
    const response = waiting?.response ?? null;
    if (response === null) return;
    this.#take(response, plain);
    this.#polled = now;
    this.#isExcused = false;
    this.#waiting = null;
    this.#idle = 0;
    if (this.given.pause === 0 && plain.status === 200) await this.begin();
  }

  #take(response: TestResponse, plain: TestResponse): void {
    expect(response.status).toBe(plain.status);
    if (plain.status !== 200) {
      expect(response.text).toBe(plain.text);
      this.#index = '';
      return;
    }
    expect(response.headers['x-scheduler-nexttoken']).toBe(plain.headers['x-scheduler-nexttoken']);
    this.#index = indexOf(response);
    const entries = plain.json() as readonly Entry[];
    const body = response.json() as readonly Entry[] | Changes;
    if (isPage(body)) {
      this.#rows = new Map(body.map((entry) => [jobKey(entry), entry]));
    } else {
      for (const entry of body.Left) expect(this.#rows.delete(jobKey(entry))).toBe(true);
      for (const entry of body.Entered) expect(this.#rows.has(jobKey(entry))).toBe(false);
      for (const entry of body.Changed) expect(this.#rows.has(jobKey(entry))).toBe(true);
      for (const entry of [...body.Entered, ...body.Changed]) this.#rows.set(jobKey(entry), entry);
    }
    expect(sorted([...this.#rows.values()])).toEqual(sorted(entries));
  }
}

function isPage(body: readonly Entry[] | Changes): body is readonly Entry[] {
  return Array.isArray(body);
}

function sorted(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => (jobKey(a) < jobKey(b) ? -1 : 1));
}

function textOf({ status, text, headers }: TestResponse): string {
  return `${status} ${String(headers['x-scheduler-nexttoken'])} ${text}`;
}

describe('watched results, for random writes, queries and rights', () => {
  it('arrive when pollers see another result, here and on a follower, and not before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(client, { minLength: 1, maxLength: 8 }),
        fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        async (clients, steps) => {
          const clock = createFakeClock();
          const storage = createMemoryStorage();
          const leader = await createAclCluster({ reader: rightsOf('default') }, { clock, storage });
          const follower = await createTestAgent({ clock, storage, config: { acl: { enabled: true } } });
          const watchers = clients.map((given) => {
            const secret = leader.tokens.get(given.token) ?? '';
            const requests = given.isAtFollower ? follower : leader.agent;
            const sendAs = (path: string): Promise<TestResponse> =>
              call(requests, path, { headers: { 'x-scheduler-token': secret } });
            return new Watcher(sendAs, () => settle(clock), given);
          });
          try {
            for (const watcher of watchers) await watcher.begin();
            for (const changes of steps) {
              await leader.agent.state.write((transaction) =>
                changes.forEach((each) => apply(transaction, each)),
              );
              const { index } = leader.agent.state.snapshot();
              await until(() => follower.state.snapshot().index === index);
              await settle(clock);
              const affectsPermissions = changes.some(({ kind }) => kind === 'rights');
              for (const watcher of watchers) await watcher.check(affectsPermissions);
            }
          } finally {
            await leader.agent.close();
            await follower.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
