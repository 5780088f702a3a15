import { setTimeout as wait } from 'node:timers/promises';
import type { KillableAgent } from './killable-agent.js';
import type { Figure } from './output.js';

/** A server of the cluster, in a process of its own. */
export interface ClusterServer {
  readonly name: string;
  readonly agent: KillableAgent;
  readonly address: string;
}

export interface ClusterOutcome {
  readonly figures: readonly Figure[];
  /** What is not as it should be, in words; empty when all is well. */
  readonly mistakes: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly index: number;
  readonly text: string;
}

/** Milliseconds that anything may take before it counts as not coming. */
const patience = 20_000;
const retryDelay = 20;

/** Plays the cases of a cluster, one after the other, on servers that share one log. */
export async function stressCluster(
  servers: readonly ClusterServer[],
  leaseTtl: number,
): Promise<ClusterOutcome> {
  const figures: Figure[] = [];
  const mistakes: string[] = [];
  const acknowledged: string[] = [];
  let alive = [...servers];

  function check(isSo: boolean, mistake: string): void {
    if (!isSo) mistakes.push(mistake);
  }

  async function write(server: ClusterServer, name: string): Promise<Answer> {
    const body = JSON.stringify({ Name: name });
    const answer = await ask(server, '/v1/namespace', { method: 'PUT', body });
    if (answer.status === 200) acknowledged.push(name);
    return answer;
  }

  /** Milliseconds until a server takes a write again. */
  async function gap(server: ClusterServer, name: string): Promise<number> {
    const begun = performance.now();
    while ((await write(server, name)).status !== 200) {
      if (performance.now() - begun > patience) throw new Error(`${server.name} takes no write any more`);
      await wait(retryDelay);
    }
    return performance.now() - begun;
  }

  /** All live servers hold the same, and every write that was acknowledged. */
  async function compare(when: string): Promise<void> {
    const [first] = alive as [ClusterServer];
    const { index } = await ask(first, '/v1/namespaces');
    // What each of them holds itself, as soon as it has come as far.
    const held = `/v1/namespaces?stale&wait=20s&index=${index - 1}`;
    const read = await Promise.all(alive.map((server) => ask(server, held)));
    check(new Set(read.map(({ text, index }) => `${index} ${text}`)).size === 1, `${when}: servers differ`);
    const lost = acknowledged.filter((name) => !read.every(({ text }) => text.includes(`"Name":"${name}"`)));
    check(lost.length === 0, `${when}: lost ${lost.join(', ')}`);
  }

  async function leader(): Promise<ClusterServer> {
    const named = await Promise.all(alive.map((server) => ask(server, '/v1/status/leader')));
    check(new Set(named.map(({ text }) => text)).size === 1, 'servers name different leaders');
    for (const server of alive) if (await leads(server)) return server;
    throw new Error('no server leads');
  }

  async function writeEverywhere(): Promise<void> {
    for (const server of alive) {
      const { status, index } = await write(server, `by-${server.name}`);
      check(status === 200, `a write on ${server.name} was answered ${status}`);
      for (const other of alive) {
        const read = await ask(other, '/v1/namespaces');
        check(read.index >= index, `${other.name} answers index ${read.index} after a write of ${index}`);
      }
    }
  }

  async function wake(): Promise<void> {
    const [first] = alive as [ClusterServer];
    const { index } = await ask(first, '/v1/namespaces');
    const waiting = alive.map((server) => ask(server, `/v1/namespaces?index=${index}&wait=20s`));
    const stale = alive.map((server) => ask(server, `/v1/namespaces?stale&index=${index}&wait=20s`));
    await write(first, 'wakes');
    const woken = await Promise.all([...waiting, ...stale]);
    check(
      new Set(woken.map((one) => `${one.index} ${one.text}`)).size === 1,
      'those who waited were told different things',
    );
    check(
      woken.every((one) => one.index > index),
      'a query that waited was not woken by the write',
    );
  }

  async function lose(how: 'stop' | 'kill', most: number): Promise<void> {
    const lost = await leader();
    alive = alive.filter((server) => server !== lost);
    const ended = lost.agent[how]();
    const [first] = alive as [ClusterServer];
    const stale = await ask(first, '/v1/namespaces?stale');
    check(stale.status === 200, `a stale read was answered ${stale.status} without a leader`);
    const taken = await gap(first, `after-${how}`);
    figures.push({
      name: how === 'stop' ? 'no leader after SIGTERM' : 'no leader after kill -9',
      value: taken,
      unit: 'ms',
    });
    check(taken <= most, `no leader for ${Math.round(taken)} ms, at most ${most} are asked for`);
    await ended;
    await compare(`after the leader's ${how}`);
  }

  await leader();
  await compare('at the start');
  await writeEverywhere();
  await wake();
  await lose('stop', 500);
  await lose('kill', leaseTtl * 1_000 + 1_000);
  return { figures, mistakes };
}

async function ask({ address }: ClusterServer, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${address}${path}`, { ...init, signal: AbortSignal.timeout(patience) });
  const index = Number(answer.headers.get('x-scheduler-index'));
  return { status: answer.status, index, text: await answer.text() };
}

async function leads(server: ClusterServer): Promise<boolean> {
  const { text } = await ask(server, '/v1/agent/self');
  return (JSON.parse(text) as { stats: { scheduler: { leader: string } } }).stats.scheduler.leader === 'true';
}
