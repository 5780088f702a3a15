import { createHmac } from 'node:crypto';
import { SecretsError } from '../errors.js';
import type { Space, Storage } from '../storage/storage.js';
import type { TokenEntry } from '../tokens/token-entry.js';
import { cutText, redactPath, type Redaction } from './redacted-path.js';

/** Where lines go. Resolves when they have left the process; rejects when any of them may not have. */
export interface AuditSink {
  write(lines: string): Promise<void>;
  /** Opens the file anew, after it has been moved away. */
  reopen(): Promise<void>;
  /** Null where nothing is known about it. */
  space(): Promise<Space | null>;
  close(): Promise<void>;
}

/** One request, and later its answer. Texts in `data` and `answer` are hashed before they are written. */
export interface AuditRecord extends Pick<Redaction, 'secrets' | 'isKnown'> {
  readonly id: string;
  readonly operation: string;
  readonly path: string;
  readonly peer: string;
  /** As it was sent, known or not. */
  readonly token: string | null;
  readonly caller: TokenEntry | null;
  readonly data: unknown;
  readonly answer?: unknown;
  readonly status?: number;
  readonly error?: string;
}

export interface AuditLog {
  /** The line of a request or of its answer; empty when there is no log. */
  line(kind: 'request' | 'response', record: AuditRecord): string;
  /** Resolves when the lines are written. @throws SecretsError `audit-failed`: what cannot be recorded must not happen. */
  write(lines: string): Promise<void>;
}

const saltPath = 'sys/audit/salt';
const saltLength = 32;

export interface AuditLogOptions {
  readonly storage: Storage;
  /** Null when the operator wants no audit log. */
  readonly sink: AuditSink | null;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Buffer;
}

/** Opens the audit log; its salt is kept in `storage`, so that hashes of one text stay equal over restarts. */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const { sink, now } = options;
  const salt = await readSalt(options);
  const hash = (text: string): string =>
    `hmac-sha256:${createHmac('sha256', salt).update(text).digest('hex')}`;
  return {
    line(kind, record) {
      if (sink === null) return '';
      return auditLine(now(), kind, describe(record, hash));
    },
    async write(lines) {
      if (lines !== '') await sink?.write(lines);
    },
  };
}

/** A log that is full is answered in the same words wherever it is noticed. */
export function auditFailed(): SecretsError {
  return new SecretsError(
    'audit-failed',
    'the audit log cannot be written: nothing is done that cannot be recorded',
  );
}

/** One line, whatever it is about. */
export function auditLine(now: number, type: string, fields: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ time: new Date(now).toISOString(), type, ...fields })}\n`;
}

async function readSalt({ storage, randomBytes }: AuditLogOptions): Promise<Uint8Array> {
  const known = await storage.get(saltPath);
  if (known !== null) return known;
  const salt = randomBytes(saltLength);
  await storage.write([{ path: saltPath, value: salt }]);
  return salt;
}

type Hash = (text: string) => string;

function describe(record: AuditRecord, hash: Hash): Readonly<Record<string, unknown>> {
  const { id, operation, peer, token, caller, data, answer, status, error } = record;
  return {
    auth: caller === null ? null : describeCaller(caller, hash),
    request: {
      id,
      operation,
      ...describePath(record, hash),
      remote_address: peer,
      client_token: token === null ? null : hash(token),
      data: caller === null ? hashBody(data, hash) : hashStrings(data, hash),
    },
    ...(status !== undefined && { response: { status, body: hashStrings(answer, hash) } }),
    ...(error !== undefined && { error }),
  };
}

/** A path that nobody would read to its end: its beginning, and what tells it from others. */
function describePath({ path, secrets, isKnown }: AuditRecord, hash: Hash): Readonly<Record<string, string>> {
  const shown = redactPath(path, { secrets, isKnown, hide: hash });
  const cut = cutText(shown);
  return cut === null ? { path: shown } : { path: cut, path_hash: hash(path) };
}

function describeCaller(entry: TokenEntry, hash: Hash): Readonly<Record<string, unknown>> {
  return {
    accessor: entry.accessor === '' ? '' : hash(entry.accessor),
    display_name: entry.displayName,
    policies: entry.policies,
    metadata: entry.metadata,
    token_type: entry.type,
  };
}

/** The form of names of fields. A form of a request that is nothing but a token has the token for a name. */
const fieldName = /^[a-z][a-z0-9_]{0,63}$/;

/** Values of a body that are written one by one, where nobody answers for it. */
const mostValues = 100;

/** The body of an anonymous caller is written by its values when there are few, else by one hash: one line must stay one line. */
function hashBody(data: unknown, hash: Hash): unknown {
  const text = JSON.stringify(data);
  // Each value but the first has a comma or a bracket before it.
  const values = text.length - text.replace(/[,[{]/g, '').length;
  return values <= mostValues ? hashStrings(data, hash) : hash(text);
}

/** Names of fields that hold secrets, in which numbers are hashed as texts are: a secret may be digits alone. */
const secretName = /(?:^|_)(?:secret|password|jwt|key)$/;

/** Every text inside a value hashed: which of them are secrets is not for the log to know. */
function hashStrings(value: unknown, hash: Hash, isSecret = false): unknown {
  if (typeof value === 'string') return hash(value);
  if (isSecret && (typeof value === 'number' || typeof value === 'bigint')) return hash(String(value));
  if (Array.isArray(value)) return value.map((item) => hashStrings(item, hash, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      fieldName.test(name) ? name : hash(name),
      hashStrings(inner, hash, isSecret || secretName.test(name)),
    ]),
  );
}
