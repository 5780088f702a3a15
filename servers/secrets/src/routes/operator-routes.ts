import type { EndpointResult } from '../api/endpoint-result.js';
import { requires, type Call, type Endpoint, type EndpointRow } from '../api/endpoint-table.js';
import { badRequest } from '../base/errors.js';
import { readUnsealKey, rekeyUnderWay } from '../seal/seal.js';

/** The operations of an operator on a running server. */
export interface Operator {
  /** Seals the server, so that nothing can be read until an operator unseals it. Pending requests are completed. */
  seal(): void;
  /** Lets another server become the active one. */
  stepDown(): Promise<void>;
  readonly keys: KeyOperations;
  /** Returns a backup in chunks. */
  backup(): AsyncIterable<string>;
  metrics(): Promise<{ readonly type: string; readonly text: string }>;
  /** File of the audit log; null if none exists. */
  readonly auditFile: string | null;
}

export interface KeyOperations {
  status(): { readonly term: number; readonly installedAt: number | null };
  rotate(): Promise<void>;
  /** Returns the ID of the current or next change of the unseal key. */
  rekeyNonce(): string;
  /** Whether there are two unseal keys. */
  isRekeying(): Promise<boolean>;
  verifies(unsealKey: Buffer): Promise<boolean>;
  /** @throws SecretsError `bad-request` if there are two keys already */
  makeNextKey(): Promise<Buffer>;
  confirmNextKey(unsealKey: Buffer): Promise<void>;
  dropNextKey(): Promise<void>;
}

/** Returns the endpoints of operators below `sys/`. Each requires `sudo`, except read-only ones. */
export function operatorRows(operator: Operator): readonly EndpointRow[] {
  const { keys } = operator;
  const sudo = (handle: Endpoint['handle']): Endpoint => requires('sudo', handle);
  const read = (handle: Endpoint['handle']): Endpoint => requires('read', handle);
  const rekeyStatus = async (): Promise<EndpointResult> =>
    bare({
      ...{ nonce: keys.rekeyNonce(), started: await keys.isRekeying() },
      ...{ t: 1, n: 1, progress: 0, required: 1, verification_required: true },
    });
  return [
    { path: 'seal', operations: { write: sudo(async () => operator.seal()) } },
    {
      path: 'step-down',
      operations: { write: { ...sudo(() => operator.stepDown()), worksUnrecorded: true } },
    },
    { path: 'rotate', operations: { write: sudo(() => keys.rotate()) } },
    {
      path: 'key-status',
      operations: {
        read: read(async () => {
          const { term, installedAt } = keys.status();
          const time = installedAt === null ? null : new Date(installedAt).toISOString();
          return { kind: 'data', data: { term, install_time: time } };
        }),
      },
    },
    {
      path: 'rekey/init',
      operations: {
        read: sudo(rekeyStatus),
        write: sudo(async ({ body }) => {
          requireOneShare(body);
          refuseEncryption(body);
          if (await keys.isRekeying()) throw rekeyUnderWay();
          return rekeyStatus();
        }),
        delete: sudo(() => keys.dropNextKey()),
      },
    },
    {
      path: 'rekey/update',
      operations: {
        write: sudo(async ({ body }) => {
          refuseEncryption(body);
          const nonce = requireNonce(body, keys);
          await requireKey(keys, readKeyField(body));
          const next = await keys.makeNextKey();
          const texts = { keys: [next.toString('hex')], keys_base64: [next.toString('base64')] };
          next.fill(0);
          const verification = { verification_required: true, verification_nonce: nonce };
          return bare({ nonce, complete: true, ...texts, ...verification });
        }),
      },
    },
    {
      path: 'rekey/verify',
      operations: {
        read: sudo(rekeyStatus),
        write: sudo(async ({ body }) => {
          const nonce = requireNonce(body, keys);
          const key = readKeyField(body);
          await keys.confirmNextKey(key);
          key.fill(0);
          return bare({ nonce, complete: true });
        }),
      },
    },
    {
      path: 'storage/backup',
      operations: {
        read: sudo(async () => {
          const type = 'application/x-ndjson';
          return { kind: 'content', content: { type, pieces: operator.backup() } };
        }),
      },
    },
    {
      path: 'metrics',
      operations: {
        read: read(async ({ request }) => {
          const requested = request.query.get('format')?.[0] ?? 'prometheus';
          if (requested !== 'prometheus') throw badRequest('format must be "prometheus"');
          const { type, text } = await operator.metrics();
          return { kind: 'content', content: { type, pieces: [text] } };
        }),
      },
    },
    {
      path: 'audit/?',
      operations: { read: read(async () => ({ kind: 'data', data: auditsOf(operator.auditFile) })) },
    },
    ...configured.map(([path, remedy]) => configuredRow(path, remedy)),
  ];
}

function bare(body: Readonly<Record<string, unknown>>): EndpointResult {
  return { kind: 'bare', status: 200, body };
}

function auditsOf(file: string | null): Readonly<Record<string, unknown>> {
  if (file === null) return {};
  const description = 'lines of JSON, as the configuration file says';
  return {
    'file/': { type: 'file', path: 'file/', description, local: false, options: { file_path: file } },
  };
}

/** Paths at which other products are configured by requests, with the corresponding setting of this server. */
const configured = [
  [
    'auth/:rest',
    'methods are mounted by auth blocks of the configuration file: add or remove one, and restart',
  ],
  ['mounts/:rest', 'nothing but auth methods is mounted, by auth blocks of the configuration file'],
  [
    'remount',
    'methods are mounted by auth blocks of the configuration file: change a path there, and restart',
  ],
  [
    'audit/:rest',
    'the audit log is the block audit "file" of the configuration file: write it there, and restart',
  ],
] as const;

function configuredRow(path: string, remedy: string): EndpointRow {
  const refuse: Endpoint = requires('sudo', async () => {
    throw badRequest(remedy);
  });
  return { path, operations: { write: refuse, ...(path.endsWith(':rest') && { delete: refuse }) } };
}

/** Refuses a request for several shares of the unseal key, because this server has a single key. */
export function requireOneShare(body: Call['body']): void {
  for (const name of ['secret_shares', 'secret_threshold']) {
    if (body[name] === undefined || body[name] === 1) continue;
    throw badRequest(`${name} must be 1: this server has one unseal key`);
  }
}

/**
 * Refuses requests to encrypt the response with PGP keys, because the client would receive the secrets in plain text. Empty
 * values are ignored.
 */
export function refuseEncryption(body: Call['body']): void {
  for (const name of ['pgp_keys', 'pgp_key', 'root_token_pgp_key']) {
    const value = body[name];
    if (value === undefined || value === null || value === '') continue;
    if (Array.isArray(value) && value.length === 0) continue;
    throw badRequest(`${name} is not supported: nothing is encrypted with PGP, leave it out`);
  }
}

/** @throws SecretsError `bad-request` */
export function readKeyField({ key }: Call['body']): Buffer {
  const bytes = typeof key === 'string' ? readUnsealKey(key) : null;
  if (bytes !== null) return bytes;
  throw badRequest('key must be the unseal key: 64 hex digits or 44 characters of base64');
}

function requireNonce({ nonce }: Call['body'], keys: KeyOperations): string {
  const current = keys.rekeyNonce();
  if (nonce === current) return current;
  throw badRequest('nonce must be the one that sys/rekey/init returned');
}

async function requireKey(keys: KeyOperations, key: Buffer): Promise<void> {
  const isKeyValid = await keys.verifies(key);
  key.fill(0);
  if (!isKeyValid) throw badRequest('the unseal key is wrong');
}
