import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SecretsError } from '../base/errors.js';
import type { ApiRequest } from '../api/request.js';
import { readFieldsOf } from './json-body.js';
import type { ListenerLimits } from './limits.js';

/** Path for requests forwarded by other servers. */
export const peerPath = '/forward';
/** Path for exchanging clock reports. */
export const clockPath = '/clock';
/** Header with a proof that the sender has the key of the unsealed store. */
export const proofHeader = 'x-secrets-proof';
/** Response header of a server that has not handled the request because another server is active. */
export const untouchedHeader = 'x-secrets-untouched';
/** The header with the hash of the body, which the proof covers. */
export const bodyHashHeader = 'x-secrets-body-hash';
/** Maximum size of a forwarded request with its head, in bytes. Larger than any body that an endpoint accepts. */
export const maxForwardedLength = 655_360;

/** A forwarded request: data determined by the server that received it, and the bytes of its body. */
export interface ForwardedRequest {
  readonly request: Pick<ApiRequest, 'id' | 'operation' | 'path' | 'token' | 'peer' | 'query'>;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Encodes a forwarded request as a line of JSON followed by the body. */
export function packForwarded({ request, contentType, body }: ForwardedRequest): Buffer {
  const { id, operation, path, token, peer, query } = request;
  const head = { id, operation, path, token, peer, query: [...query], contentType };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

/**
 * Returns the headers of a request between servers. The proof covers the path, the length and the hash of the body, so that it
 * can be checked before the body is read.
 */
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

/** Decodes the output of {@link packForwarded}, whose proof must have been checked. */
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
