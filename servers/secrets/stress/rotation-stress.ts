import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Client } from './client.js';
import { initialize } from './initialize.js';
import type { Findings, Progress } from '../../http/stress/proof.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

export interface RotationOptions {
  readonly main: string;
  readonly directory: string;
  readonly kills: number;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly progress: Progress;
}

/** The keys of an operator: the last confirmed one, and the next one if any. */
interface PendingRequest {
  key: string;
  next: string | null;
}

/** Maximum number of responses before a server is killed, and additional milliseconds. */
const maxResponses = 12;
const maxPauseMs = 10;

/**
 * Kills a server repeatedly while its keys are rotated and replaced and policies are written. After each restart, checks that the
 * operator can unseal it with a known key, and that every acknowledged policy is present.
 */
export async function proveRotations(options: RotationOptions): Promise<Findings> {
  const { main, directory, kills, random, progress } = options;
  const file = join(directory, 'server.hcl');
  writeFileSync(
    file,
    `storage "lmdb" { path = ${JSON.stringify(join(directory, 'store'))} }
    listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }`,
  );
  const mistakes: string[] = [];
  const written: string[] = [];
  const counts = { rotations: 0, replacements: 0, 'keys that only one of two opened': 0 };
  let pending: PendingRequest | null = null;
  let token = '';

  async function open(): Promise<{ server: ServerProcess; client: Client }> {
    const server = startServerProcess(main, ['--config', file]);
    const [address] = (await server.listening) ?? [];
    if (address === undefined) throw new Error(`the server does not start: ${server.output()}`);
    return { server, client: createClient(address, 4) };
  }

  async function getIn(client: Client): Promise<boolean> {
    if (pending === null) {
      const made = await initialize(client);
      pending = { key: made.unsealKey, next: null };
      token = made.rootToken;
    }
    const { key, next } = pending;
    const statuses: number[] = [];
    for (const each of [key, ...(next === null ? [] : [next])]) {
      statuses.push((await client.send('PUT', 'sys/unseal', { key: each })).status);
    }
    if (next !== null && statuses.includes(400)) counts['keys that only one of two opened'] += 1;
    if (statuses[0] !== 200 && next !== null) pending = { key: next, next: null };
    else if (statuses[1] === 400) pending.next = null;
    return statuses.includes(200);
  }

  /** Runs until the server is gone. @param done is called with each response. */
  async function work(client: Client, done: () => void): Promise<void> {
    const put = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
      const { status, text } = await client.send('PUT', path, body, token);
      done();
      if (status >= 400) throw new Error(`${path} is ${status}: ${text}`);
      return text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
    };
    const state = pending as PendingRequest;
    for (;;) {
      const name = `p${written.length}`;
      await put(`sys/policies/acl/${name}`, { policy: `# ${name}` });
      written.push(name);
      await put('sys/rotate', {});
      counts.rotations += 1;
      // A kill may have left a next key that was never returned.
      await client.send('DELETE', 'sys/rekey/init', undefined, token);
      const { nonce } = await put('sys/rekey/init', {});
      const { keys } = await put('sys/rekey/update', { key: state.key, nonce });
      state.next = (keys as readonly string[])[0] ?? '';
      await put('sys/rekey/verify', { key: state.next, nonce });
      [state.key, state.next] = [state.next, null];
      counts.replacements += 1;
    }
  }

  for (let kill = 0; kill <= kills && mistakes.length === 0; kill += 1) {
    progress(`${kill} of ${kills} kills, ${written.length} policies`);
    const { server, client } = await open();
    let outcome: Promise<unknown> = Promise.resolve();
    try {
      if (!(await getIn(client))) mistakes.push(`kill ${kill}: no key that was told opens the store`);
      for (const name of mistakes.length === 0 ? written : []) {
        const { status, text } = await client.send('GET', `sys/policies/acl/${name}`, undefined, token);
        if (status !== 200 || !text.includes(`# ${name}`))
          mistakes.push(`kill ${kill}: ${name} is ${status}`);
      }
      if (kill === kills || mistakes.length > 0) break;
      let responses = 1 + Math.floor(random() * maxResponses);
      const recordOf = new Promise<void>((resolve) => {
        outcome = work(client, () => (responses -= 1) > 0 || resolve()).catch((error: unknown) => error);
      });
      await Promise.race([recordOf, outcome]);
      // At a random point of the following operations.
      await pause(random() * maxPauseMs);
      await server.kill();
      const error = await outcome;
      if (error instanceof Error && error.message.startsWith('sys/')) mistakes.push(error.message);
    } finally {
      client.close();
      await server.kill();
    }
  }
  const figures = Object.entries({ kills, 'policies acknowledged': written.length, ...counts });
  return { figures: figures.map(([name, value]) => ({ name, value, unit: '' })), mistakes };
}
