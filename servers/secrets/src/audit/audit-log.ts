import { createHmac } from 'node:crypto';
import { SecretsError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Storage } from '../storage/storage.js';
import type { TokenEntry } from '../tokens/token-entry.js';

/** Where lines go. Resolves when they have left the process; rejects when any of them may not have. */
export interface AuditSink {
  write(lines: string): Promise<void>;
  /** Opens the file anew, after it has been moved away. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** One request, and later its answer. Texts in `data` and `answer` are hashed before they are written. */
export interface AuditRecord {
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
  /** Resolves when the line is written. @throws SecretsError `internal`: what cannot be recorded must not happen. */
  write(kind: 'request' | 'response', record: AuditRecord): Promise<void>;
  close(): Promise<void>;
}

const saltPath = 'sys/audit/salt';
const saltLength = 32;

export interface AuditLogOptions {
  readonly storage: Storage;
  /** Null when the operator wants no audit log. */
  readonly sink: AuditSink | null;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Buffer;
  readonly logger: Logger;
}

/** Opens the audit log; its salt is kept in `storage`, so that hashes of one text stay equal over restarts. */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const { storage, sink, now, randomBytes, logger } = options;
  const salt = (await storage.get(saltPath)) ?? randomBytes(saltLength);
  await storage.write([{ path: saltPath, value: salt }]);
  const hash = (text: string): string =>
    `hmac-sha256:${createHmac('sha256', salt).update(text).digest('hex')}`;
  return {
    async write(kind, record) {
      if (sink === null) return;
      const line = JSON.stringify({
        time: new Date(now()).toISOString(),
        type: kind,
        ...describe(record, hash),
      });
      try {
        await sink.write(`${line}\n`);
      } catch (error) {
        logger.error(
          { err: error, request_id: record.id },
          'the audit log cannot be written: request refused',
        );
        throw new SecretsError('internal', 'internal error');
      }
    },
    async close() {
      await sink?.close();
    },
  };
}

type Hash = (text: string) => string;

function describe(record: AuditRecord, hash: Hash): Readonly<Record<string, unknown>> {
  const { id, operation, path, peer, token, caller, data, answer, status, error } = record;
  return {
    auth: caller === null ? null : describeCaller(caller, hash),
    request: {
      id,
      operation,
      path,
      remote_address: peer,
      client_token: token === null ? null : hash(token),
      data: hideTexts(data, hash),
    },
    ...(status !== undefined && { response: { status, body: hideTexts(answer, hash) } }),
    ...(error !== undefined && { error }),
  };
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

/** What fields of this API are called. A form that is nothing but a token has the token for a name. */
const fieldName = /^[a-z][a-z0-9_]{0,63}$/;

/** Every text inside a value hashed: which of them are secrets is not for the log to know. */
function hideTexts(value: unknown, hash: Hash): unknown {
  if (typeof value === 'string') return hash(value);
  if (Array.isArray(value)) return value.map((item) => hideTexts(item, hash));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      fieldName.test(name) ? name : hash(name),
      hideTexts(inner, hash),
    ]),
  );
}
