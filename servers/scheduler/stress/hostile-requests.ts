import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** The context of a hostile client. */
export interface Target {
  readonly origin: string;
  /** How many rows the long list has. */
  readonly rows: number;
  /** Different for each round, so that a job is a new one or a new version. */
  readonly round: number;
}

/** Something that a client may do and that must not hold up the others. */
export interface HostileRequest {
  readonly name: string;
  /** The names of previous requests that create its input. */
  readonly needs?: readonly string[];
  /** Resolves with the responses to the client, when everything has ended. */
  readonly run: (target: Target) => Promise<string>;
}

const connections = new Agent({ keepAlive: false, maxSockets: Infinity });

/** Sends a request; resolves when the response begins. */
export async function open(
  origin: string,
  path: string,
  { method = 'GET', body = '', headers = {} }: { method?: string; body?: string; headers?: object } = {},
): Promise<IncomingMessage> {
  const sent = httpRequest(`${origin}${path}`, { agent: connections, method, headers: { ...headers } });
  // An early refusal closes the connection during the upload: the refusal has arrived by then.
  sent.on('error', () => undefined);
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function read(response: IncomingMessage): Promise<{ readonly status: number; readonly text: string }> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (pieces.length < 4) pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString().slice(0, 80).replaceAll(/\s+/g, ' ');
  return { status: response.statusCode ?? 0, text: response.statusCode === 200 ? `${length} bytes` : text };
}

async function send(origin: string, path: string, body: unknown, method = 'PUT'): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { status, text: said } = await read(await open(origin, path, { method, body: text }));
  return `${status} ${said}`;
}

async function get(origin: string, path: string, headers: object = {}): Promise<string> {
  const { status, text } = await read(await open(origin, path, { headers }));
  return `${status} ${text}`;
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

function keys(count: number, length = 4): Record<string, string> {
  return Object.fromEntries(times(count, (at) => [`k${at}`, 'v'.repeat(length)]));
}

const task = (more: object = {}): object => ({
  Name: 't',
  Driver: 'mock_driver',
  Config: { run_for: '10m' },
  Resources: { CPU: 1, MemoryMB: 10 },
  LogConfig: { MaxFiles: 1, MaxFileSizeMB: 1 },
  ...more,
});

function job(id: string, more: object = {}, tasks: readonly object[] = [task()]): object {
  const TaskGroups = [{ Name: 'g', Count: 0, EphemeralDisk: { SizeMB: 10 }, Tasks: tasks }];
  return { Job: { ID: id, Datacenters: ['*'], Type: 'service', TaskGroups, ...more } };
}

function groups(count: number, more: object): object[] {
  return times(count, (at) => ({
    Name: `g${at}`,
    EphemeralDisk: { SizeMB: 10 },
    Tasks: [task()],
    ...more,
  }));
}

/** Registers a job. */
function put(name: string, body: (target: Target) => object | string): HostileRequest {
  return { name: `register ${name}`, run: (target) => send(target.origin, '/v1/jobs', body(target)) };
}

const label = (what: string, round: number): string => `${what}-${round}`;

/** A filter of 990 terms, which no other client uses in this round. */
function terms(at: number, round: number): string {
  return times(990, (term) => `Name == "t${round}x${at}x${term}"`).join(' or ');
}

/** Many concurrent clients with the same or different requests; some stop reading. */
async function crowd(
  { origin }: Target,
  count: number,
  path: (at: number) => string,
  { headers = {}, readsAfter = 0 }: { headers?: object; readsAfter?: number } = {},
): Promise<string> {
  const responses = times(count, async (at) => {
    const response = await open(origin, path(at), { headers });
    if (readsAfter > 0) await pause(readsAfter);
    if (readsAfter > 0) response.destroy();
    return readsAfter > 0 ? { status: response.statusCode, text: 'left' } : read(response);
  });
  const results = await Promise.allSettled(responses);
  const counts = new Map<string, number>();
  for (const result of results) {
    const key = result.status === 'fulfilled' ? `${result.value.status} ${result.value.text}` : 'broken off';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, times_]) => `${times_} x ${text}`)
    .join(', ')
    .slice(0, 120);
}

const long = '/v1/jobs?namespace=*&per_page=0';

const largeValues = ['register one value of 3 MB', 'register one value of 3 MB, again'];
const placedJob = 'register 700 groups to be placed';
const placed = [placedJob, 'their placement'];

/** The requests, in this order. */
export const hostileRequests: readonly HostileRequest[] = [
  put('200,000 keys of Meta', ({ round }) => job(label('meta', round), { Meta: keys(200_000) })),
  put('90,000 keys of Meta', ({ round }) => job('meta90', { Meta: keys(90_000, 4 + (round % 50)) })),
  put('20,000 keys of Meta', ({ round }) => job('meta', { Meta: keys(20_000, 10 + round) })),
  put('4,000 keys of Meta', ({ round }) => job('meta4', { Meta: keys(4_000, 10 + round) })),
  put('4,000 keys of Meta, again', ({ round }) => job('meta4', { Meta: keys(4_000, 100 + round) })),
  {
    name: 'versions and diffs of those keys',
    needs: ['register 4,000 keys of Meta', 'register 4,000 keys of Meta, again'],
    run: ({ origin }) => get(origin, '/v1/job/meta4/versions?diffs=true'),
  },
  put('one value of 3 MB', ({ round }) => job('text', { Meta: { a: `${round}${'v'.repeat(3_000_000)}` } })),
  put('one value of 3 MB, again', ({ round }) =>
    job('text', { Meta: { a: `${round}${'w'.repeat(3_000_000)}` } }),
  ),
  {
    name: 'versions and diffs of those values',
    needs: largeValues,
    run: ({ origin }) => get(origin, '/v1/job/text/versions?diffs=true'),
  },
  {
    name: 'list with their Meta',
    needs: largeValues,
    run: ({ origin }) => get(origin, '/v1/jobs?prefix=text&meta=true'),
  },
  put('220,000 keys of Config', ({ round }) =>
    job(label('config', round), {}, [task({ Config: keys(220_000) })]),
  ),
  put('200,000 variables', ({ round }) => job(label('env', round), {}, [task({ Env: keys(200_000) })])),
  put('350,000 datacenters', ({ round }) =>
    job(label('dc', round), { Datacenters: times(350_000, (at) => `d${at}`) }),
  ),
  put('60,000 constraints', ({ round }) =>
    job(label('constraints', round), {
      Constraints: times(60_000, (at) => ({ LTarget: '${meta.a}', RTarget: `${at}`, Operand: '=' })),
    }),
  ),
  put('50,000 affinities', ({ round }) =>
    job(label('affinities', round), {
      Affinities: times(50_000, (at) => ({
        LTarget: '${meta.a}',
        RTarget: `${at}`,
        Operand: '=',
        Weight: 50,
      })),
    }),
  ),
  put('80,000 templates', ({ round }) =>
    job(label('t', round), {}, [task({ Templates: times(80_000, () => ({})) })]),
  ),
  put('10,000 tasks', ({ round }) =>
    job(
      label('tasks', round),
      {},
      times(10_000, (at) => task({ Name: `t${at}` })),
    ),
  ),
  put('30,000 groups', ({ round }) => ({
    Job: { ID: label('groups', round), TaskGroups: times(30_000, () => ({})) },
  })),
  put('900 groups', ({ round }) =>
    job(label('many', round), { TaskGroups: groups(900, { Count: 0, Meta: { round: `${round}` } }) }),
  ),
  put(
    'numbers of 20 digits',
    ({ round }) =>
      `{"Job":{"ID":"digits-${round}","Meta":{},"TaskGroups":[{"Name":"g","Count":0,"Tasks":[{"Name":"t","Driver":"mock_driver","Config":{"list":[${times(180_000, () => '12345678901234567890').join()}]}}]}]}}`,
  ),
  put(
    'what is no JSON at its end',
    ({ round }) => `{"Job":{"ID":"x${round}","Meta":{"a":"${'\\"'.repeat(1_900_000)}"}}} ${'x'.repeat(100)}`,
  ),
  put('lists in lists', () => '['.repeat(4_000_000)),
  put('unknown fields', ({ round }) => ({ Job: { ID: `u${round}`, ...keys(220_000, 1) } })),
  put('700 groups to be placed', ({ round }) =>
    job('placed', { TaskGroups: groups(700, { Count: 2, Meta: { round: `${round}` } }) }),
  ),
  {
    name: 'their placement',
    needs: [placedJob],
    async run({ origin }) {
      const end = performance.now() + 60_000;
      let said = '';
      while (performance.now() < end) {
        await pause(500);
        said = await runningOf(origin, 'placed');
        if (said.startsWith('1400')) break;
      }
      return said;
    },
  },
  { name: 'their job', needs: placed, run: ({ origin }) => get(origin, '/v1/job/placed?pretty') },
  {
    name: 'their allocations',
    needs: placed,
    run: ({ origin }) => get(origin, '/v1/job/placed/allocations'),
  },
  {
    name: 'their deployments',
    needs: placed,
    run: ({ origin }) => get(origin, '/v1/job/placed/deployments'),
  },
  { name: 'their summary', needs: placed, run: ({ origin }) => get(origin, '/v1/job/placed/summary') },
  {
    name: 'list of allocations',
    needs: placed,
    run: ({ origin }) => get(origin, '/v1/allocations?resources=true'),
  },
  {
    name: 'node with them',
    needs: placed,
    async run({ origin }) {
      const nodes = JSON.parse(await bodyOf(origin, '/v1/nodes')) as readonly { readonly ID: string }[];
      const [{ ID } = { ID: '' }] = nodes;
      return get(origin, `/v1/node/${ID}/allocations`);
    },
  },
  {
    name: 'drain of their node',
    needs: placed,
    async run({ origin }) {
      const nodes = JSON.parse(await bodyOf(origin, '/v1/nodes')) as readonly { readonly ID: string }[];
      const [{ ID } = { ID: '' }] = nodes;
      const said = await send(origin, `/v1/node/${ID}/drain`, { DrainSpec: { Deadline: 1_000_000_000 } });
      await pause(3_000);
      await send(origin, `/v1/node/${ID}/drain`, { DrainSpec: null, MarkEligible: true });
      await pause(3_000);
      return said;
    },
  },
  {
    name: 'stop of their job',
    needs: placed,
    async run({ origin }) {
      const said = await send(origin, '/v1/job/placed', '', 'DELETE');
      await pause(5_000);
      return said;
    },
  },
  {
    name: 'purge of their job',
    needs: placed,
    run: ({ origin }) => send(origin, '/v1/job/placed?purge=true', '', 'DELETE'),
  },
  {
    name: 'policy of 4 MB',
    run: ({ origin }) =>
      send(origin, '/v1/acl/policy/big', {
        Name: 'big',
        Rules: times(60_000, (at) => `namespace "n${at}" { policy = "read" }`).join('\n'),
      }),
  },
  {
    name: 'namespace with 200,000 keys',
    run: ({ origin, round }) => send(origin, '/v1/namespace', { Name: `n${round}`, Meta: keys(200_000) }),
  },
  {
    name: 'dispatch with 200,000 keys',
    async run({ origin }) {
      const more = { Type: 'batch', ParameterizedJob: { MetaOptional: times(1_000, (at) => `k${at}`) } };
      await send(origin, '/v1/jobs', job('dispatched', more));
      return send(origin, '/v1/job/dispatched/dispatch', { Meta: keys(200_000) });
    },
  },
  {
    name: 'dispatch with a payload of 3 MB',
    needs: ['dispatch with 200,000 keys'],
    run: ({ origin }) => send(origin, '/v1/job/dispatched/dispatch', { Payload: 'AAAA'.repeat(750_000) }),
  },
  { name: '20 x openapi', run: (target) => crowd(target, 20, () => '/v1/openapi.json') },
  { name: '20 x metrics', run: (target) => crowd(target, 20, () => '/v1/metrics?format=prometheus') },
  {
    name: 'filter of 60 kB',
    run: ({ origin }) =>
      get(
        origin,
        `/v1/jobs?filter=${encodeURIComponent(times(900, (at) => `Name == "a${at}"`).join(' or '))}`,
      ),
  },
  {
    name: '20 sorted lists, nothing found',
    run: (target) =>
      crowd(target, 20, (at) => `/v1/jobs?sort=-Name&filter=${encodeURIComponent(`Meta.x == "${at}"`)}`),
  },
  {
    name: '20 x facets of ten fields',
    run: (target) =>
      crowd(
        target,
        20,
        (at) =>
          `/v1/jobs?facets=ID,Name,Type,Status,Priority,NodePool,CreateIndex,ModifyIndex,Stop,Datacenters&filter=${encodeURIComponent(`Name != "x${at}"`)}`,
      ),
  },
  {
    name: '50 jobs of 10,000 keys, and why none matches',
    async run(target) {
      const Meta = keys(10_000);
      for (const at of times(50, (each) => each)) {
        await send(target.origin, '/v1/jobs', job(`keys-${at}`, { Priority: 99, Meta }));
      }
      return crowd(
        target,
        10,
        (at) =>
          `/v1/jobs?explain=true&filter=${encodeURIComponent(`Priority == 99 and Meta.k${at}x == "v" and Type == "servic"`)}`,
      );
    },
  },
  {
    name: '90 filters of 990 terms, in an empty namespace',
    run: (target) =>
      crowd(
        target,
        90,
        (at) => `/v1/jobs?namespace=none&filter=${encodeURIComponent(terms(at, target.round))}`,
      ),
  },
  {
    name: 'the same filter of 990 terms 90 times',
    run: (target) =>
      crowd(target, 90, () => `/v1/jobs?namespace=none&filter=${encodeURIComponent(terms(0, target.round))}`),
  },
  {
    name: '4 long bodies and 4 deep ones, side by side',
    async run({ origin }) {
      const deep = (at: number): string => `${'{"a":['.repeat(49_000)}${at}${']}'.repeat(49_000)}`;
      const bodies = times(4, (at) => [job(`long${at}`, { Meta: keys(90_000, 30 + at) }), deep(at)]).flat();
      return (await Promise.all(bodies.map((body) => send(origin, '/v1/jobs', body))))
        .join(', ')
        .slice(0, 120);
    },
  },
  { name: 'the long list', run: ({ origin }) => get(origin, long) },
  { name: 'the long list, pretty', run: ({ origin }) => get(origin, `${long}&pretty`) },
  {
    name: 'the long list, compressed',
    run: ({ origin }) => get(origin, long, { 'accept-encoding': 'gzip' }),
  },
  { name: '100 x the long list', run: (target) => crowd(target, 100, () => long) },
  { name: '300 x the long list', run: (target) => crowd(target, 300, () => long) },
  {
    name: '100 x the long list, each its own',
    run: (target) => crowd(target, 100, (at) => `${long}&filter=${encodeURIComponent(`Name != "x${at}"`)}`),
  },
  {
    name: '50 x the long list, compressed',
    run: (target) => crowd(target, 50, () => long, { headers: { 'accept-encoding': 'gzip' } }),
  },
  {
    name: '300 slow readers of the long list',
    run: (target) => crowd(target, 300, () => long, { readsAfter: 8_000 }),
  },
  {
    name: '300 slow readers, each its own',
    run: (target) =>
      crowd(target, 300, (at) => `${long}&filter=${encodeURIComponent(`Name != "x${at}"`)}`, {
        readsAfter: 8_000,
      }),
  },
  {
    name: '2,000 connections at once',
    run: (target) => crowd(target, 2_000, (at) => `/v1/jobs?per_page=100&prefix=job-0000${at % 10}`),
  },
  {
    name: '2,000 blocked readers that wake',
    async run(target) {
      const index = (await open(target.origin, '/v1/jobs?per_page=1')).headers['x-scheduler-index'];
      const path = (at: number): string =>
        `/v1/jobs?per_page=100&wait=1m&index=${String(index)}&prefix=job-0000${at % 10}`;
      const waiting = crowd(target, 2_000, path);
      await pause(4_000);
      await send(target.origin, '/v1/jobs', job('waker', { Meta: { round: `${target.round}` } }));
      return waiting;
    },
  },
];

async function bodyOf(origin: string, path: string): Promise<string> {
  let text = '';
  for await (const piece of await open(origin, path)) text += String(piece);
  return text;
}

async function runningOf(origin: string, id: string): Promise<string> {
  const { Summary } = JSON.parse(await bodyOf(origin, `/v1/job/${id}/summary`)) as {
    readonly Summary: Readonly<Record<string, { readonly Running: number }>>;
  };
  return `${Object.values(Summary).reduce((sum, { Running }) => sum + Running, 0)} run`;
}
