import { readFileSync } from 'node:fs';
import { ConfigError } from '@tamis/config';
import { readServerSettings } from '../src/program/settings/server-settings.js';
import {
  clientSecret,
  createFakeCloud,
  subscription,
  privilegedCalls,
  type CallKind,
  type FakeCloud,
} from '../test/support/fake-cloud.js';
import { principal } from '../test/support/fake-resources.js';
import { forAll, type StressResponse } from './client.js';
import { anyBody, anyFields, anyFile, earlyRefusals, lateRefusals, marker } from './fuzz-inputs.js';
import type { Metric, Findings, Progress } from '../../http/stress/proof.js';
import { startStressedServer, type StressedServer } from './stressed-server.js';

export interface FuzzOptions {
  /** The built server. */
  readonly main: string;
  /** For its files. */
  readonly directory: string;
  /** Inputs of each kind. */
  readonly runs: number;
  /** Decides all inputs: the same seed makes the same run. */
  readonly seed: number;
  readonly progress: Progress;
}

const connections = 20;
/** Shorter strings may appear anywhere by chance. */
const shortestSecret = 12;
const place = { subscription_id: subscription, resource_group_name: 'rg1', vm_name: 'vm1' };

/** A stress test under way. */
interface Run {
  readonly server: StressedServer;
  readonly cloud: FakeCloud;
  readonly mistakes: string[];
  /** Strings that must not appear anywhere: everything sent, issued or stored as a secret. */
  readonly secrets: Set<string>;
  readonly statuses: Map<number, number>;
}

/**
 * Sends all kinds of invalid requests to a server: it must respond to each with a client error, send no unauthorised requests to
 * the cloud, and write no secret to its log, its audit log or an error response.
 */
export async function proveFuzz({ main, directory, runs, seed, progress }: FuzzOptions): Promise<Findings> {
  const cloud = await createFakeCloud();
  const server = await startStressedServer(main, directory, cloud, connections);
  const secrets = new Set([clientSecret, server.rootToken, server.unsealKey, marker]);
  const run: Run = { server, cloud, mistakes: [], secrets, statuses: new Map() };
  try {
    const role = { bound_service_principal_ids: [principal], bound_locations: ['eastus'] };
    await server.client.send('POST', 'auth/cloud/role/dev', role, server.rootToken);
    progress('tokens that must not get as far as a key');
    const early = await earlyRefusals(cloud, runs, seed);
    await refuseAll(
      run,
      early.map((jwt) => ({ role: 'dev', jwt, ...place })),
      ['keys', ...privilegedCalls],
    );
    progress('bodies of logins');
    await refuseAll(run, anyBody(runs, seed), ['keys', ...privilegedCalls]);
    progress('tokens that no key has signed, or for another place');
    await admitOne(run);
    const late = await lateRefusals(cloud, runs, seed);
    await refuseAll(
      run,
      late.map((jwt) => ({ role: 'dev', jwt, ...place })),
      privilegedCalls,
    );
    progress('bodies of configurations and roles');
    await writeAnything(run, runs, seed);
    progress('configuration files');
    readFiles(run, runs, seed);
    await server.stop();
    findSecrets(run);
  } finally {
    progress('');
    await server.stop();
    await cloud.close();
  }
  return { figures: figuresOf(run), mistakes: run.mistakes };
}

/** Sends bodies to the login. Each must be refused with 4xx, and none may cause a call of these kinds. */
async function refuseAll(
  run: Run,
  bodies: readonly unknown[],
  forbidden: readonly CallKind[],
): Promise<void> {
  const { server, cloud, mistakes } = run;
  cloud.forgetCalls();
  await forAll(bodies, connections, async (body) => {
    const response = await server.client.send('POST', 'auth/cloud/login', body);
    note(run, body, response);
    if (response.status < 400 || response.status > 499) {
      mistakes.push(`a login returns ${response.status}: ${JSON.stringify(body).slice(0, 300)}`);
    }
  });
  for (const kind of forbidden) {
    const calls = cloud.count(kind);
    if (calls > 0) mistakes.push(`logins that must be refused caused ${calls} calls of the kind ${kind}`);
  }
}

/** Counts a response, and records the request's content as a secret. */
function note({ secrets, statuses, mistakes }: Run, body: unknown, { status, text }: StressResponse): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status >= 400 && text.includes(marker)) mistakes.push(`a refusal repeats what was sent: ${text}`);
  const jwt =
    typeof body === 'object' && body !== null ? (body as { readonly jwt?: unknown }).jwt : undefined;
  if (typeof jwt !== 'string') return;
  for (const part of [jwt, jwt.split('.')[2] ?? '']) if (part.length >= shortestSecret) secrets.add(part);
}

/** A good login: so that refusals mean something, and so that there are secrets that could get out. */
async function admitOne({ server, cloud, secrets, mistakes }: Run): Promise<void> {
  const jwt = await cloud.token();
  secrets.add(jwt);
  const { status, text } = await server.client.send('POST', 'auth/cloud/login', {
    role: 'dev',
    jwt,
    ...place,
  });
  if (status !== 200) {
    mistakes.push(`a good login returns ${status}: ${text}`);
    return;
  }
  const { auth } = JSON.parse(text) as {
    readonly auth: { readonly client_token: string; readonly accessor: string };
  };
  secrets.add(auth.client_token).add(auth.accessor);
  for (const { authorization } of cloud.calls) {
    if (authorization !== null) secrets.add(authorization.replace(/^Bearer /, ''));
  }
}

/** Any input of an operator is accepted, or refused as a client error. */
async function writeAnything(run: Run, runs: number, seed: number): Promise<void> {
  const { server, mistakes } = run;
  for (const path of ['auth/cloud/config', 'auth/cloud/role/any']) {
    await forAll(anyFields(path, runs, seed), connections, async (body) => {
      const response = await server.client.send('POST', path, body, server.rootToken);
      note(run, body, response);
      if (response.status >= 500) {
        mistakes.push(`a write of ${path} returns ${response.status}: ${JSON.stringify(body)}`);
      }
    });
  }
}

/** A file is read, or refused with the place of each mistake. */
function readFiles({ mistakes }: Run, runs: number, seed: number): void {
  for (const text of anyFile(runs, seed)) {
    try {
      readServerSettings([{ name: 'any.hcl', text }], { dev: false, onWarning: () => undefined });
    } catch (error) {
      if (error instanceof ConfigError && error.message.includes('any.hcl')) continue;
      mistakes.push(`a file is refused with ${String(error)}: ${JSON.stringify(text)}`);
    }
  }
}

/** Looks for every secret of the run in everything that the server has written. */
function findSecrets({ server, secrets, mistakes }: Run): void {
  const written = [
    ['its log', server.process.output()],
    ['its audit log', readFileSync(server.auditFile, 'utf8')],
  ] as const;
  for (const [where, text] of written) {
    for (const secret of secrets) {
      if (text.includes(secret)) mistakes.push(`${where} holds a secret: ${secret.slice(0, 40)}`);
    }
  }
}

function figuresOf({ statuses, secrets, server, mistakes }: Run): readonly Metric[] {
  const responses = [...statuses].sort(([a], [b]) => a - b);
  return [
    ...responses.map(([status, count]) => ({ name: `responses with ${status}`, value: count, unit: '' })),
    { name: 'secrets looked for', value: secrets.size, unit: '' },
    { name: 'characters of logs looked through', value: server.process.output().length, unit: '' },
    { name: 'mistakes', value: mistakes.length, unit: '' },
  ];
}
