import { setTimeout as pause } from 'node:timers/promises';
import { send, fetchJson } from './client.js';
import type { ServerProcess } from './server-process.js';

/** Everything that a server shows of its state. */
const lists = [
  '/v1/jobs?meta=true&namespace=*',
  '/v1/nodes?resources=true',
  '/v1/allocations?namespace=*&resources=true',
  '/v1/evaluations?namespace=*',
  '/v1/deployments?namespace=*',
  '/v1/namespaces',
];

/** Timeout for servers to reach the same state after the last write, in ms. */
const timeoutMs = 20_000;
const lookInterval = 100;

/**
 * Compares the local state of servers, index and contents, as soon as nothing changes any more; describes the differences.
 */
export async function compareContents(
  servers: readonly ServerProcess[],
  token?: string,
): Promise<readonly string[]> {
  const started = performance.now();
  for (;;) {
    const paused = await Promise.all(servers.map((server) => readContents(server, token)));
    const mistakes = differences(servers, paused);
    if (mistakes.length === 0 || performance.now() - started > timeoutMs) return mistakes;
    await pause(lookInterval);
  }
}

/** The index of a server, and each list with its own. */
async function readContents(server: ServerProcess, token?: string): Promise<readonly string[]> {
  const options = token === undefined ? {} : { token };
  const contents = [`index ${await appliedIndex(server, token)}`];
  for (const list of lists) {
    const { status, index, text } = await send(
      server,
      `${list}${list.includes('?') ? '&' : '?'}stale`,
      options,
    );
    contents.push(`${status} under ${index}: ${text}`);
  }
  return contents;
}

/** The index of everything that a server has applied. */
export async function appliedIndex(server: ServerProcess, token?: string): Promise<number> {
  const self = await fetchJson<{ readonly stats: { readonly raft: { readonly applied_index: string } } }>(
    server,
    '/v1/agent/self',
    token === undefined ? {} : { token },
  );
  return Number(self.stats.raft.applied_index);
}

const printed = 60;

function differences(
  servers: readonly ServerProcess[],
  paused: readonly (readonly string[])[],
): readonly string[] {
  const [first] = paused;
  if (first === undefined) return ['no server runs'];
  return first.flatMap((text, part) => {
    const other = paused.findIndex((contents) => contents[part] !== text);
    if (other === -1) return [];
    const found = paused[other]?.[part] ?? '';
    const at = firstDifference(text, found);
    const from = Math.max(0, at - printed / 2);
    const print = (whole: string): string => JSON.stringify(whole.slice(from, from + printed));
    const name = part === 0 ? 'the index' : (lists[part - 1] ?? '');
    return [`${name} on ${servers[0]?.name} has ${print(text)}, on ${servers[other]?.name} ${print(found)}`];
  });
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
