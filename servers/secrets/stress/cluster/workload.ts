import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type StressResponse, type Client } from '../client.js';
import type { Operation } from './history.js';
import type { Region } from './region.js';

/** Clients that read and write through all servers, and their history. */
export interface Workload {
  readonly history: readonly Operation[];
  /** Resolves when so many operations are recorded. */
  reach(operations: number): Promise<void>;
  /** Stops the clients, and waits for requests in progress. */
  stop(): Promise<void>;
  /** Reads everything that was written once more. */
  readAll(): Promise<void>;
  /** Resolves when a request sent after this call has been acknowledged. */
  responded(): Promise<void>;
  /** The longest time since then without an acknowledgement, in ms. */
  maxSilenceMs(since: number): number;
}

interface Result {
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly status: number;
  readonly text: string;
}

/** Timeout of a client for a response, in ms. */
const timeoutMs = 20_000;
const lookInterval = 20;
const usesOfToken = 6;
/** Messages that mean that nothing was done. */
const untouched = /nothing has changed|is a standby|is sealed/;

export function startWorkload({ servers, rootToken }: Region, clients: number): Workload {
  const history: Operation[] = [];
  const connections = servers.map(({ address }) => createClient(address, 64));
  const waiters = new Set<{ readonly since: number; readonly resolve: () => void }>();
  const acknowledgements: number[] = [];
  /** The keys of readers, and how to read them. */
  const targets: Target[] = [];
  let shouldYield = false;

  async function send(method: string, path: string, body?: unknown, token = rootToken): Promise<Result> {
    const client = connections[Math.floor(Math.random() * connections.length)] as Client;
    const started = performance.now();
    try {
      const response = await withTimeout(client.send(method, path, body, token));
      const result = resultOf(response);
      if (result.outcome === 'done') noteResponse(started);
      return result;
    } catch (error) {
      const wasRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      return { outcome: wasRefused ? 'refused' : 'unknown', status: 0, text: '' };
    }
  }

  function noteResponse(started: number): void {
    acknowledgements.push(performance.now());
    for (const waiter of [...waiters]) {
      if (started < waiter.since) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  }

  async function write(key: string, value: number, make: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    const result = await make();
    history.push({
      kind: 'write',
      key,
      value,
      startedAt: started,
      ended: performance.now(),
      outcome: result.outcome,
    });
    return result;
  }

  async function readOf(target: Target): Promise<void> {
    const started = performance.now();
    const value = await target.read();
    if (value === null) return;
    history.push({ kind: 'read', key: target.key, value, startedAt: started, ended: performance.now() });
  }

  async function readAny(): Promise<void> {
    const target = targets[Math.floor(Math.random() * targets.length)];
    if (target !== undefined) await readOf(target);
  }

  /** A policy or role whose content is an increasing number. */
  async function writeRegister(kind: 'policy' | 'role'): Promise<void> {
    const name = `${kind}-${randomUUID().slice(0, 8)}`;
    const path = kind === 'policy' ? `sys/policies/acl/${name}` : `auth/cloud/role/${name}`;
    const bodyOf = (value: number): unknown =>
      kind === 'policy'
        ? { policy: `path "value/${value}" { capabilities = ["read"] }` }
        : { token_max_ttl: value, bound_subscription_ids: ['00000000-0000-0000-0000-000000000001'] };
    const pattern = kind === 'policy' ? /value\/(\d+)/ : /"token_max_ttl":(\d+)/;
    targets.push({
      key: name,
      async read() {
        const { status, text } = await send('GET', path);
        if (status === 404) return 0;
        return status === 200 ? Number(pattern.exec(text)?.[1] ?? NaN) : null;
      },
    });
    for (let value = 1; value <= 10 && !shouldYield; value += 1) {
      const { outcome, status, text } = await write(name, value, () => send('PUT', path, bodyOf(value)));
      if (status >= 400 && status < 500) throw new Error(`${path}: ${status} ${text}`);
      if (outcome === 'unknown') return;
      await readAny();
    }
  }

  /** A token that is made, read by all, and revoked. */
  async function liveToken(): Promise<void> {
    const key = `token-${randomUUID().slice(0, 8)}`;
    const id = randomUUID();
    const { outcome } = await write(key, 1, () => send('POST', 'auth/token/create', { id, no_parent: true }));
    if (outcome === 'refused') return;
    targets.push({
      key,
      async read() {
        const { status } = await send('GET', 'auth/token/lookup-self', undefined, id);
        if (status === 200) return 1;
        return status === 403 ? 2 : null;
      },
    });
    // Of a token that may never have been made a refusal says nothing.
    if (outcome === 'unknown') return void targets.pop();
    for (let left = 4; left > 0 && !shouldYield; left -= 1) await readAny();
    await write(key, 2, () => send('POST', 'auth/token/revoke', { token: id }));
  }

  async function useToken(): Promise<void> {
    const key = `uses-${randomUUID().slice(0, 8)}`;
    const id = randomUUID();
    const made = await send('POST', 'auth/token/create', { id, no_parent: true, num_uses: usesOfToken });
    if (made.outcome !== 'done') return;
    const uses = Array.from({ length: usesOfToken + 3 }, async () => {
      const started = performance.now();
      const { outcome, status } = await send('GET', 'auth/token/lookup-self', undefined, id);
      // A server that reports that nothing was counted says nothing about the token.
      if (outcome === 'refused' && status !== 403) return;
      const max = usesOfToken;
      history.push({ kind: 'use', key, max, startedAt: started, ended: performance.now(), outcome });
    });
    await Promise.all(uses);
  }

  const tasks = [() => writeRegister('policy'), () => writeRegister('role'), liveToken, useToken];
  let failure: unknown = null;
  const running = Array.from({ length: clients }, async (_, at) => {
    for (let n = at; !shouldYield; n += 1) {
      await tasks[n % tasks.length]?.().catch((error: unknown) => {
        failure ??= error;
        shouldYield = true;
      });
    }
  });
  return {
    history,
    async reach(operations) {
      while (history.length < operations && failure === null) await pause(lookInterval);
    },
    async stop() {
      shouldYield = true;
      await Promise.all(running);
      if (failure !== null) throw failure;
    },
    async readAll() {
      for (let at = 0; at < targets.length; at += 32)
        await Promise.all(targets.slice(at, at + 32).map(readOf));
      for (const client of connections) client.close();
    },
    responded: () => new Promise((resolve) => void waiters.add({ since: performance.now(), resolve })),
    maxSilenceMs(since) {
      const times = [since, ...acknowledgements.filter((time) => time >= since)];
      return Math.max(0, ...times.map((time, at) => time - (times[at - 1] ?? time)));
    },
  };
}

interface Target {
  readonly key: string;
  /** The value; null if the response does not contain it. */
  read(): Promise<number | null>;
}

function resultOf({ status, text }: StressResponse): Result {
  if (status < 300) return { outcome: 'done', status, text };
  if (status < 500 || untouched.test(text)) return { outcome: 'refused', status, text };
  return { outcome: 'unknown', status, text };
}

async function withTimeout(pending: Promise<StressResponse>): Promise<StressResponse> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timeoutMs);
  });
  pending.catch(() => undefined);
  return Promise.race([pending, late]).finally(() => clearTimeout(timer));
}
