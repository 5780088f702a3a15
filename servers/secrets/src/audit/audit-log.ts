import { createHmac } from 'node:crypto';
import { SecretsError } from '../base/errors.js';
import { isFieldName } from '../fields/fields.js';
import type { Space, Storage } from '../storage/storage.js';
import type { TokenEntry } from '../tokens/token-entry.js';
import { cutText, redactPath, type Redaction } from './redacted-path.js';

/** Destination of lines. A write resolves when the process has written all its lines, and rejects if any may be missing. */
export interface AuditSink {
  write(lines: string): Promise<void>;
  /** Reopens the file, after it has been moved away. */
  reopen(): Promise<void>;
  /** Returns the space on the disk; null if unknown. */
  space(): Promise<Space | null>;
  close(): Promise<void>;
}

/** One request, and later its response. Strings in `data` and `response` are hashed before they are written. */
export interface AuditRecord extends Pick<Redaction, 'secrets' | 'isKnown'> {
  readonly id: string;
  readonly operation: string;
  readonly path: string;
  readonly peer: string;
  /** The token as it was sent, valid or not. */
  readonly token: string | null;
  readonly caller: TokenEntry | null;
  readonly data: unknown;
  readonly response?: unknown;
  readonly status?: number;
  readonly error?: string;
}

export type AuditLog = Awaited<ReturnType<typeof openAuditLog>>;

const saltPath = 'sys/audit/salt';
const saltLength = 32;

export interface AuditLogOptions {
  readonly storage: Storage;
  /** Null if no audit log is configured. */
  readonly sink: AuditSink | null;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Buffer;
}

/** Opens the audit log. Its salt is stored in `storage`, so that equal strings have equal hashes after a restart. */
export async function openAuditLog(options: AuditLogOptions) {
  const { sink, now } = options;
  const salt = await readSalt(options);
  const hash = (text: string): string =>
    `hmac-sha256:${createHmac('sha256', salt).update(text).digest('hex')}`;
  const describe = createTeller(hash);
  return {
    /** Returns the line of a request or of its response; empty if there is no log. */
    line(kind: 'request' | 'response', record: AuditRecord): string {
      if (sink === null) return '';
      return boundedLine(now(), kind, record, { hash, describe });
    },
    /** Writes lines. A request must not be handled if it cannot be recorded. @throws SecretsError `audit-failed` */
    async write(lines: string): Promise<void> {
      if (lines !== '') await sink?.write(lines);
    },
    /** Erases the salt of the hashes from memory. Nothing works afterwards. */
    forget: (): void => void salt.fill(0),
  };
}

/** Returns the error for an audit log that cannot be written. */
export function auditFailed(): SecretsError {
  return new SecretsError(
    'audit-failed',
    'the audit log cannot be written: nothing is done that cannot be recorded',
  );
}

/** Returns a line with the time, a type and other fields. */
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

/** Describes a value that is too large by its size and one hash, so that it can still be compared. */
type Describe = (value: unknown) => Readonly<Record<string, unknown>>;

interface Words {
  readonly hash: Hash;
  readonly describe: Describe;
}

function createTeller(hash: Hash): Describe {
  /** Cached, because both lines of a request describe the same values. */
  const described = new WeakMap<object, ReturnType<Describe>>();
  return (value) => {
    const key = typeof value === 'object' && value !== null ? value : {};
    const known = described.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    const fresh = { bytes: Buffer.byteLength(text), hash: hash(text) };
    described.set(key, fresh);
    return fresh;
  };
}

/** Maximum length of a line, in bytes. Limits a request to 4 kB in two lines. */
const maxLineLength = 2_048;

/** The parts of a line that have no maximum length. */
interface Parts {
  readonly display_name?: unknown;
  readonly policies?: unknown;
  readonly metadata?: unknown;
  readonly data: unknown;
  readonly body?: unknown;
  readonly error?: unknown;
}

/** Returns a line within the limit. As long as it is too long, the longest part is replaced by its size and a hash. */
function boundedLine(now: number, kind: string, record: AuditRecord, words: Words): string {
  let parts = partsOf(record, words);
  let line = auditLine(now, kind, describe(record, parts, words.hash));
  const lengths = new Map<string, number>();
  while (Buffer.byteLength(line) > maxLineLength) {
    if (lengths.size === 0) {
      for (const [name, part] of Object.entries(parts)) lengths.set(name, JSON.stringify(part)?.length ?? 0);
    }
    const [biggestField] = [...lengths].sort(([, one], [, other]) => other - one);
    // The remaining parts are hashes, and names of limited length.
    if (biggestField === undefined || biggestField[1] === 0) break;
    const [name] = biggestField;
    lengths.set(name, 0);
    parts = { ...parts, [name]: words.describe(sourceOf(record)[name as keyof Parts]) };
    line = auditLine(now, kind, describe(record, parts, words.hash));
  }
  return line;
}

function sourceOf({ caller, data, response, error }: AuditRecord): Parts {
  return {
    ...(caller !== null && {
      display_name: caller.displayName,
      policies: caller.policies,
      metadata: caller.metadata,
    }),
    data,
    ...(response !== undefined && { body: response }),
    ...(error !== undefined && { error }),
  };
}

function partsOf(record: AuditRecord, words: Words): Parts {
  const { caller, data, response } = record;
  return {
    ...sourceOf(record),
    // Tokens created by older versions may have metadata of any length.
    ...(caller !== null && isLong(caller.metadata) && { metadata: words.describe(caller.metadata) }),
    data: hashBody(data, words),
    ...(response !== undefined && { body: hashBody(response, words) }),
  };
}

function isLong(texts: Readonly<Record<string, string>>): boolean {
  return Object.values(texts).reduce((sum, { length }) => sum + length, 0) > maxLineLength;
}

function describe(
  record: AuditRecord,
  { data, body, error, ...described }: Parts,
  hash: Hash,
): Readonly<Record<string, unknown>> {
  const { id, operation, peer, token, caller, status } = record;
  return {
    auth: caller === null ? null : { ...describeCaller(caller, hash), ...described },
    request: {
      id,
      operation,
      ...describePath(record, hash),
      remote_address: peer,
      client_token: token === null ? null : hash(token),
      data,
    },
    ...(status !== undefined && { response: { status, body } }),
    ...(error !== undefined && { error }),
  };
}

/** Returns a redacted path. A long path is cut, with a hash that identifies it. */
function describePath({ path, secrets, isKnown }: AuditRecord, hash: Hash): Readonly<Record<string, string>> {
  const redacted = redactPath(path, { secrets, isKnown, hide: hash });
  const cut = cutText(redacted);
  return cut === null ? { path: redacted } : { path: cut, path_hash: hash(path) };
}

function describeCaller(entry: TokenEntry, hash: Hash): Readonly<Record<string, unknown>> {
  return { accessor: entry.accessor === '' ? '' : hash(entry.accessor), token_type: entry.type };
}

/** Minimum length of a hash in a line, in bytes. */
const hashLength = 78;

/** Returns a body with hashed values, or one hash of the whole if that would exceed the limit. */
function hashBody(data: unknown, { hash, describe }: Words): unknown {
  return spend(data, maxLineLength) < 0 ? describe(data) : hashStrings(data, hash);
}

/** Returns the number of bytes left after writing a value with hashed strings; negative if it does not fit. */
function spend(value: unknown, bytes: number): number {
  if (typeof value === 'string') return bytes - hashLength;
  if (typeof value !== 'object' || value === null) return bytes - 1;
  const items = Array.isArray(value) ? (value as readonly unknown[]).entries() : Object.entries(value);
  let left = bytes;
  for (const [name, inner] of items) {
    const isPlain = typeof name === 'number' || isFieldName(name);
    left = spend(inner, left - (isPlain ? 1 : hashLength));
    if (left < 0) break;
  }
  return left;
}

/** Names of fields that contain secrets. Numbers in them are hashed too, because a secret may consist of digits. */
const secretName = /(?:^|_)(?:secret|password|jwt|key|token|accessor|id)$/;

/** Returns a value with all strings hashed. The log cannot know which of them are secrets. */
function hashStrings(value: unknown, hash: Hash, isSecret = false): unknown {
  if (typeof value === 'string') return hash(value);
  if (isSecret && (typeof value === 'number' || typeof value === 'bigint')) return hash(String(value));
  if (Array.isArray(value)) return value.map((item) => hashStrings(item, hash, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      isFieldName(name) ? name : hash(name),
      hashStrings(inner, hash, isSecret || secretName.test(name)),
    ]),
  );
}
