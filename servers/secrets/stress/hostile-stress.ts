import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createFakeCloud } from '../test/support/fake-cloud.js';
import { forAll } from './client.js';
import { quantile, type Metric, type Findings, type Progress } from '../../http/stress/proof.js';
import { startStressedServer, type StressedServer } from './stressed-server.js';

export interface HostileOptions {
  /** The built server. */
  readonly main: string;
  /** For its files. */
  readonly directory: string;
  readonly requests: number;
  readonly connections: number;
  /** Maximum delay of other clients, in ms. */
  readonly maxWaitMs: number;
  readonly progress: Progress;
}

/** Bytes of audit that one request may leave. */
const maxAuditBytes = 4_096;

/** One request of an attacker with a token. */
interface Attack {
  readonly who: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const all = '["create", "read", "update", "delete", "list"]';
/** The attackers, by the rights of their policy in addition to those of every token. */
const policies: Readonly<Record<string, string>> = {
  nobody: '',
  workload: '',
  maker: 'path "auth/token/create" { capabilities = ["update"] }',
  writer: `path "auth/cloud/role/*" { capabilities = ${all} }`,
  lawyer: `path "sys/policies/acl/of-mine-*" { capabilities = ${all} }`,
};

function attacks(): readonly Attack[] {
  const text = (length: number, piece = 'x'): string =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const list = (length: number, item: unknown = ''): readonly unknown[] => Array<unknown>(length).fill(item);
  const wide = Object.fromEntries(list(5_000).map((_, at) => [`Field ${at}`, '']));
  const deep = `{"a":${'['.repeat(90)}${']'.repeat(90)}}`;
  const post = (who: string, path: string, body: unknown): Attack => ({ who, method: 'POST', path, body });
  const self = 'sys/capabilities-self';
  return [
    ...[text(4_000_000, '/'), text(60_000, '/'), text(1_024, '/'), text(1_024, '\u0130/')].map((path) =>
      post('workload', self, { path }),
    ),
    post('workload', self, { paths: list(60, text(1_000, '/')) }),
    post('workload', self, { paths: list(60, text(1_000, 'A/')) }),
    post('workload', self, { paths: list(30, text(500, '\u0130\ufb03/')) }),
    post('workload', self, { paths: list(1_000, '') }),
    ...['auth/cloud/config', 'auth/cloud/role/x', 'sys/policies/acl/x', 'auth/token/create'].flatMap(
      (path) => [post('nobody', path, { a: list(9_991) }), post('nobody', path, wide)],
    ),
    post('nobody', 'auth/cloud/role/x', { a: text(5_000_000) }),
    { who: 'nobody', method: 'GET', path: `auth/cloud/role/${text(950, '"')}` },
    { who: 'nobody', method: 'GET', path: text(990, 'a/') },
    { who: 'workload', method: 'LIST', path: text(990, '%5C') },
    post('maker', 'auth/token/create', { meta: { a: text(5_000_000) } }),
    post('maker', 'auth/token/create', { type: 'batch', meta: { a: text(4_000) } }),
    post('maker', 'auth/token/create', { type: 'batch', policies: list(1_000, 'maker'), ttl: '1s' }),
    post('maker', 'auth/token/create', { type: 'batch', display_name: text(60_000), ...wide }),
    post('maker', 'auth/token/create', text(65_000, 'a=&')),
    post('maker', 'auth/token/create', { policies: text(60_000, ',') }),
    post('writer', 'auth/cloud/role/big', {
      bound_group_ids: list(1_000, text(40)),
      token_bound_cidrs: list(900, '10.0.0.0/8'),
    }),
    post('writer', 'auth/cloud/role/big', { bound_group_ids: ['g'], ...wide }),
    post('writer', 'auth/cloud/role/big', deep),
    { who: 'writer', method: 'GET', path: 'auth/cloud/role/big' },
    post('lawyer', 'sys/policies/acl/of-mine-1', {
      policy: text(65_536, 'path "a/b" { policy = "read" }\n'),
    }),
    post('lawyer', 'sys/policies/acl/of-mine-2', { policy: text(65_536, '{') }),
    post('lawyer', 'sys/policies/acl/of-mine-3', { policy: text(65_536, 'x = 1\n') }),
  ];
}

/**
 * Sends attacks that are possible with ordinary tokens, many at a time, while a different client repeatedly sends a small
 * request. Measures the delay of that client, the audit entries of each request, and the memory used.
 */
export async function proveHostile(options: HostileOptions): Promise<Findings> {
  const { main, directory, requests, connections, maxWaitMs, progress } = options;
  const cloud = await createFakeCloud();
  const server = await startStressedServer(main, directory, cloud, connections);
  try {
    const tokens = await makeTokens(server);
    const kinds = attacks();
    progress('nobody but one');
    const quiet = await watch(server, tokens, () => pause(Math.min(3_000, requests)));
    const before = peakMemory(server);
    const statuses = new Map<number, number>();
    const noisy = await watch(server, tokens, () =>
      forAll(Array.from({ length: requests }), connections, async (_, at) => {
        const { who, method, path, body } = kinds[at % kinds.length] as Attack;
        if (at % 100 === 0) progress(`${at} of ${requests} hostile requests`);
        const { status } = await server.client.send(method, path, body, tokens.get(who));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
    const audit = auditOf(server);
    const mistakes = [
      ...[...statuses.keys()].filter((status) => status >= 500).map((status) => `responses with ${status}`),
      ...(noisy.times.some(Number.isNaN) ? ['another client had no response'] : []),
      ...(noisy.maxMs > maxWaitMs ? [`somebody else waited for ${noisy.maxMs.toFixed(0)} ms`] : []),
      ...(audit.max > maxAuditBytes ? [`one request wrote ${audit.max} bytes of audit`] : []),
    ];
    const figures: readonly Metric[] = [
      ...[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, value]) => count(`responses with ${status}`, value)),
      time('longest wait of somebody else, without them', quiet.maxMs),
      time('longest wait of somebody else', noisy.maxMs),
      time('wait of somebody else, 99 of 100', quantile(noisy.times, 0.99)),
      time('wait of somebody else, median', quantile(noisy.times, 0.5)),
      time('lateness of its own timers, most', noisy.latest),
      count('responses to another client', noisy.times.length),
      { name: 'audit of one request, most', value: audit.max, unit: 'bytes' },
      { name: 'audit of one request, mean', value: audit.mean, unit: 'bytes' },
      { name: 'memory, most, before', value: before, unit: 'MB' },
      { name: 'memory, most, with them', value: peakMemory(server), unit: 'MB' },
    ];
    return { figures, mistakes };
  } finally {
    progress('');
    await server.stop();
    await cloud.close();
  }
}

function count(name: string, value: number): Metric {
  return { name, value, unit: '' };
}

function time(name: string, value: number): Metric {
  return { name, value, unit: 'ms' };
}

async function makeTokens({ client, rootToken }: StressedServer): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>();
  for (const [name, policy] of Object.entries(policies)) {
    await client.send('PUT', `sys/policies/acl/${name}`, { policy }, rootToken);
    const body = { policies: [name], no_default_policy: name === 'nobody' };
    const { status, text } = await client.send('POST', 'auth/token/create', body, rootToken);
    if (status !== 200) throw new Error(`there is no token for ${name}: ${text}`);
    tokens.set(name, (JSON.parse(text) as { auth: { client_token: string } }).auth.client_token);
  }
  return tokens;
}

interface Watched {
  /** Duration of each response in ms; NaN without a response. */
  readonly times: readonly number[];
  readonly maxMs: number;
  /** Timer delay of the waiting client itself, in ms: the machine is overloaded. */
  readonly latest: number;
}

/** The waits of a bystander while something is done. */
async function watch(
  { address }: StressedServer,
  tokens: ReadonlyMap<string, string>,
  act: () => Promise<void>,
): Promise<Watched> {
  const worker = new Worker(new URL('./bystander.mjs', import.meta.url), {
    workerData: { address, token: tokens.get('workload') },
    // The options of this process may load modules that the thread does not need.
    execArgv: [],
  });
  const reported = new Promise<Omit<Watched, 'maxMs'>>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await act();
  worker.postMessage('stop');
  // The first responses are those of a process that has just started.
  const { times: responses, latest } = await reported;
  const times = responses.slice(20);
  await worker.terminate();
  return { times, latest, maxMs: Math.max(0, ...times) };
}

/** Peak memory of the process, in megabytes. NaN if the system does not report it. */
function peakMemory({ process: { pid } }: StressedServer): number {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return NaN;
  }
}

/** The audit entries of each request. */
function auditOf({ auditFile }: StressedServer): { readonly max: number; readonly mean: number } {
  const bytes = new Map<string, number>();
  for (const line of readFileSync(auditFile, 'utf8').split('\n')) {
    const [, id] = /"request":\{"id":"([^"]+)"/.exec(line) ?? [];
    if (id !== undefined) bytes.set(id, (bytes.get(id) ?? 0) + Buffer.byteLength(line) + 1);
  }
  const sizes = [...bytes.values()];
  const total = sizes.reduce((sum, each) => sum + each, 0);
  return { max: sizes.reduce((max, each) => Math.max(max, each), 0), mean: total / sizes.length };
}
