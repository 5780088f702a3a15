import { createFakeCloud, type FakeCloud } from '../test/support/fake-cloud.js';
import { principal } from '../test/support/fake-resources.js';
import { forAll } from './client.js';
import { quantile, type Metric, type Findings, type Progress } from '../../http/stress/proof.js';
import { startStressedServer, type StressedServer } from './stressed-server.js';

export interface LoginOptions {
  /** The built server. */
  readonly main: string;
  /** For its files. */
  readonly directory: string;
  /** Logins that are timed, of each type of token. */
  readonly logins: number;
  readonly connections: number;
  /** Logins whose tokens name unknown keys. */
  readonly external: number;
  readonly progress: Progress;
}

/** Different tokens that callers bring: enough that nothing can be remembered of one. */
const distinct = 20;

/** A stress test under way. */
interface Run extends LoginOptions {
  readonly server: StressedServer;
  readonly cloud: FakeCloud;
  readonly figures: Metric[];
  readonly mistakes: string[];
}

/**
 * Logs in repeatedly, with unknown and with valid keys, and counts the requests to the cloud meanwhile: its keys once. Service
 * tokens are written to disk, each before it is issued; batch tokens are not stored.
 */
export async function proveLogins(options: LoginOptions): Promise<Findings> {
  const { main, directory, connections, progress } = options;
  const cloud = await createFakeCloud();
  const server = await startStressedServer(main, directory, cloud, connections);
  const run: Run = { ...options, server, cloud, figures: [], mistakes: [] };
  try {
    await writeRole(server, 'service');
    await rejectUnknownPeers(run);
    await timeLogins(run);
  } finally {
    progress('');
    await server.stop();
    await cloud.close();
  }
  return { figures: run.figures, mistakes: run.mistakes };
}

/** Many unknown keys at once: an attacker must not cause a request to the cloud for each. */
async function rejectUnknownPeers({
  cloud,
  server,
  external: unknownPeers,
  connections,
  progress,
  figures,
  mistakes,
}: Run): Promise<void> {
  const unknown = await Promise.all(
    Array.from({ length: unknownPeers }, (_, at) => cloud.token({}, { kid: `unknown-${at}` })),
  );
  for (const when of ['before any key is known', 'with keys at hand']) {
    progress(`${unknownPeers} logins with unknown keys, ${when}`);
    cloud.forgetCalls();
    const { statuses } = await logIn(server, unknown, unknown.length, connections);
    expectAll(statuses, 403, `unknown keys, ${when}`, mistakes);
    const fetches = cloud.count('keys');
    if (fetches > 1)
      mistakes.push(`${unknownPeers} unknown keys ${when} caused ${fetches} fetches of the key set`);
    figures.push({
      name: `key-set fetches of ${unknownPeers} unknown keys, ${when}`,
      value: fetches,
      unit: '',
    });
  }
}

async function timeLogins({
  cloud,
  server,
  logins,
  connections,
  progress,
  figures,
  mistakes,
}: Run): Promise<void> {
  const since = Math.floor(Date.now() / 1_000) - 60;
  const good = await Promise.all(
    Array.from({ length: distinct }, (_, at) => cloud.token({ nbf: since - at })),
  );
  cloud.forgetCalls();
  for (const type of ['service', 'batch']) {
    progress(`${logins} logins, ${type} tokens`);
    await writeRole(server, type);
    const timed = await logIn(server, good, logins, connections);
    expectAll(timed.statuses, 200, `logins for ${type} tokens`, mistakes);
    figures.push(...figuresOf(type, timed));
  }
  const calls = cloud.calls.length;
  if (calls > 0) mistakes.push(`logins with known keys caused ${calls} requests to the cloud`);
  figures.push({ name: 'requests to the cloud by logins with known keys', value: calls, unit: '' });
}

async function writeRole({ client, rootToken }: StressedServer, type: string): Promise<void> {
  const role = { bound_service_principal_ids: [principal], token_policies: ['dev'], token_type: type };
  const { status, text } = await client.send('POST', 'auth/cloud/role/dev', role, rootToken);
  if (status !== 204) throw new Error(`the role is not taken: ${text}`);
}

interface Timed {
  readonly statuses: readonly number[];
  /** Milliseconds of each login. */
  readonly times: readonly number[];
  /** Milliseconds of all of them. */
  readonly total: number;
}

/** Logs in so many times with the tokens one after the other. */
async function logIn(
  { client }: StressedServer,
  tokens: readonly string[],
  logins: number,
  connections: number,
): Promise<Timed> {
  const bodies = tokens.map((jwt) => JSON.stringify({ role: 'dev', jwt }));
  const statuses: number[] = [];
  const times: number[] = [];
  const began = performance.now();
  const all = Array.from({ length: logins }, (_, at) => bodies[at % bodies.length]);
  await forAll(all, connections, async (body) => {
    const start = performance.now();
    const { status } = await client.send('POST', 'auth/cloud/login', body);
    times.push(performance.now() - start);
    statuses.push(status);
  });
  return { statuses, times, total: performance.now() - began };
}

function expectAll(statuses: readonly number[], expected: number, what: string, mistakes: string[]): void {
  const others = statuses.filter((status) => status !== expected);
  if (others.length > 0)
    mistakes.push(`${what}: ${others.length} responses are ${others[0]}, not ${expected}`);
}

function figuresOf(type: string, { times, total }: Timed): readonly Metric[] {
  return [
    { name: `logins a second, ${type} tokens`, value: (times.length * 1_000) / total, unit: '/s' },
    { name: `one login, ${type}, median`, value: quantile(times, 0.5), unit: 'ms' },
    { name: `one login, ${type}, 99 of 100`, value: quantile(times, 0.99), unit: 'ms' },
  ];
}
