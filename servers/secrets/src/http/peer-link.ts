import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SecretsError } from '../base/errors.js';
import type { ApiRequest } from '../api/request.js';
import { readFieldsOf } from './json-body.js';
import type { ListenerLimits } from './limits.js';

/** Where a server takes what others pass on. */
export const peerPath = '/forward';
/** Where it receives the clocks of others, and reports its own. */
export const clockPath = '/clock';
/** The header with the proof that the sender can open the store, too. */
export const proofHeader = 'x-secrets-proof';
/** The header of a response of a server that has done nothing, because another one is active. */
export const untouchedHeader = 'x-secrets-untouched';
/** The header with the hash of the body, which the proof covers. */
export const bodyHashHeader = 'x-secrets-body-hash';
/** Bytes of what is passed on, with its head: more than any endpoint takes. */
export const maxForwardedLength = 655_360;

/** A request as it is passed on: what the first server has found out about it, and the bytes of its body. */
export interface ForwardedRequest {
  readonly request: Pick<ApiRequest, 'id' | 'operation' | 'path' | 'token' | 'peer' | 'query'>;
  readonly contentType: string;
  readonly body: Buffer;
}

/** A line of JSON, and the body. */
export function packForwarded({ request, contentType, body }: ForwardedRequest): Buffer {
  const { id, operation, path, token, peer, query } = request;
  const head = { id, operation, path, token, peer, query: [...query], contentType };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

/** The head of a request between servers: its proof covers path, length and hash, so that it is checked before the body. */
export function proofHeaders(key: Buffer, path: string, bytes: Buffer): Readonly<Record<string, string>> {
  const length = String(bytes.length);
  const hash = hashOfBody(bytes);
  return {
    'content-length': length,
    [bodyHashHeader]: hash,
    [proofHeader]: proofOf(key, path, length, hash),
  };
}

/** Whether the head of a request proves that its sender has the key. */
export function isProven(
  key: Buffer,
  path: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const proof = headers[proofHeader];
  if (typeof proof !== 'string' || !/^[0-9a-f]{64}$/.test(proof)) return false;
  const length = String(headers['content-length']);
  const expected = proofOf(key, path, length, String(headers[bodyHashHeader]));
  return timingSafeEqual(Buffer.from(proof, 'hex'), Buffer.from(expected, 'hex'));
}

export function hashOfBody(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function proofOf(key: Buffer, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('hex');
}

/** What {@link packForwarded} has packed, which a proof has vouched for. */
export function unpackForwarded(
  bytes: Buffer,
  limits: Pick<ListenerLimits, 'maxJsonDepth' | 'maxJsonEntries'>,
  signal: AbortSignal,
): ApiRequest {
  const end = bytes.indexOf('\n');
  const { contentType, query, ...head } = JSON.parse(bytes.toString('utf8', 0, end)) as Omit<
    ForwardedRequest['request'],
    'query'
  > & { readonly contentType: string; readonly query: readonly [string, readonly string[]][] };
  const body = bytes.subarray(end + 1);
  return {
    ...head,
    query: new Map(query),
    signal,
    async readBody(maxLength) {
      if (body.length > maxLength) {
        throw new SecretsError('body-too-large', `the body is larger than ${maxLength} bytes`);
      }
      return readFieldsOf(body, contentType, limits);
    },
  };
}
