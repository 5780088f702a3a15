import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crashFigures, killAgainAndAgain, type CrashTally } from '../../http/stress/crash-harness.js';
import { createClient, forAll, type Client } from './client.js';
import { initialize } from './initialize.js';
import type { Findings, Progress } from '../../http/stress/proof.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

export interface CrashOptions {
  /** The built server. */
  readonly main: string;
  /** For its files and its store. */
  readonly directory: string;
  readonly kills: number;
  /** Clients that write at the same time. */
  readonly writers: number;
  /** Maximum time of writing before a kill, in ms. */
  readonly maxLifeMs: number;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly progress: Progress;
}

/** A role, as its one writer knows it. */
interface Known {
  readonly name: string;
  /** The number in the last write that was acknowledged; null for none, or a removal. */
  acknowledged: number | null;
  /** The write that was under way when the server was killed: it may have happened or not. */
  pending: { readonly number: number | null } | null;
}

/** Maximum lifetime of a server during its start, in ms. */
const maxStartMs = 300;
const rolesOfWriter = 10;
const removalShare = 8;

/**
 * Kills a server repeatedly while clients write roles, and checks its contents after each restart: every acknowledged write, and
 * nothing else except the pending write of each client.
 */
export async function proveCrashes(options: CrashOptions): Promise<Findings> {
  const { kills, writers, random } = options;
  const config = writeConfig(options.directory);
  const start = (): ServerProcess => startServerProcess(options.main, ['--config', config]);
  const rootToken = await makeStore(start(), options.directory);
  const known = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: rolesOfWriter }, (_role, at): Known => {
      return { name: `role-${writer}-${at}`, acknowledged: null, pending: null };
    }),
  );
  const tally = await killAgainAndAgain<Client>(
    {
      start() {
        const server = start();
        const listening = server.listening.then((addresses) => addresses?.[0] ?? null);
        return { listening, errors: () => server.output(), kill: () => server.kill() };
      },
      connect: (address) => createClient(address, writers),
      disconnect: (client) => client.close(),
      compare: (client, counted) => compare(client, rootToken, known.flat(), counted),
      write: (client, writer, counted) => write(client, rootToken, known[writer] ?? [], counted, random),
    },
    { ...options, maxStartMs },
  );
  return { figures: crashFigures(kills, tally), mistakes: tally.mistakes };
}

function writeConfig(directory: string): string {
  const file = join(directory, 'server.hcl');
  writeFileSync(
    file,
    `storage "lmdb" { path = ${JSON.stringify(join(directory, 'store'))} }
     audit "file" { path = ${JSON.stringify(join(directory, 'audit.log'))} }
     seal { key_file = ${JSON.stringify(keyFileOf(directory))} }
     log_level = "error"
     listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }`,
  );
  writeFileSync(keyFileOf(directory), '', { mode: 0o600 });
  return file;
}

function keyFileOf(directory: string): string {
  return join(directory, 'unseal-key');
}

/** Creates the store and saves its key for later starts. Returns the root token. */
async function makeStore(server: ServerProcess, directory: string): Promise<string> {
  const [address] = (await server.listening) ?? [];
  if (address === undefined) throw new Error(`the server does not start: ${server.output()}`);
  const client = createClient(address, 1);
  const { unsealKey, rootToken } = await initialize(client);
  writeFileSync(keyFileOf(directory), unsealKey, { mode: 0o600 });
  client.close();
  await server.kill();
  return rootToken;
}

/** One write of a client. */
async function write(
  client: Client,
  rootToken: string,
  roles: readonly Known[],
  tally: CrashTally,
  random: () => number,
): Promise<boolean> {
  const role = roles[Math.floor(random() * roles.length)];
  if (role === undefined) return false;
  const isRemoval = role.acknowledged !== null && random() * removalShare < 1;
  const number = isRemoval ? null : 1 + Math.floor(random() * 2 ** 31);
  role.pending = { number };
  const path = `auth/cloud/role/${role.name}`;
  const body = { bound_group_ids: [`group ${String(number)}`], max_jwt_exp: number };
  const response =
    number === null
      ? await client.send('DELETE', path, undefined, rootToken)
      : await client.send('POST', path, body, rootToken);
  if (response.status !== 204) {
    tally.mistakes.push(`a write of ${role.name} returns ${response.status}: ${response.text}`);
    return false;
  }
  role.acknowledged = number;
  role.pending = null;
  tally.acknowledged += 1;
  return true;
}

async function compare(
  client: Client,
  rootToken: string,
  known: readonly Known[],
  tally: CrashTally,
): Promise<void> {
  const names = new Set(await listRoles(client, rootToken));
  await forAll(known, 10, async (role) => {
    const isListed = names.delete(role.name);
    const { status, text } = await client.send('GET', `auth/cloud/role/${role.name}`, undefined, rootToken);
    if ((status === 200) !== isListed)
      tally.mistakes.push(`${role.name}: listed ${isListed}, read ${status}`);
    const mistake = settle(role, status === 200 ? numberIn(text) : null, tally);
    if (mistake !== null) tally.mistakes.push(`${role.name}: ${mistake}`);
  });
  if (names.size > 0) tally.mistakes.push(`roles that nobody wrote: ${[...names].join(', ')}`);
}

async function listRoles(client: Client, rootToken: string): Promise<readonly string[]> {
  const { status, text } = await client.send('LIST', 'auth/cloud/role', undefined, rootToken);
  if (status === 404) return [];
  return (JSON.parse(text) as { readonly data: { readonly keys: readonly string[] } }).data.keys;
}

/** The number of the last write to a role; NaN if its parts come from different writes. */
function numberIn(text: string): number {
  const { data } = JSON.parse(text) as {
    readonly data: { readonly max_jwt_exp: number; readonly bound_group_ids: readonly string[] };
  };
  const isWhole = data.bound_group_ids.join() === `group ${data.max_jwt_exp}`;
  return isWhole ? data.max_jwt_exp : NaN;
}

/** Compares a role with its writer's knowledge, and records whether the pending write has happened. */
function settle(role: Known, found: number | null, tally: CrashTally): string | null {
  const { acknowledged, pending } = role;
  role.pending = null;
  if (found === acknowledged) return null;
  if (pending === null || found !== pending.number) {
    return `holds write ${found}, not the acknowledged ${acknowledged}`;
  }
  role.acknowledged = found;
  tally.unacknowledged += 1;
  return null;
}
