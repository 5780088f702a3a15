import { request as httpRequest, type IncomingMessage } from 'node:http';
import { constants, gunzipSync } from 'node:zlib';
import { writeJson } from '@tamis/http';
import type { Mapping } from './case-file.js';

/** A response as received from the socket. */
export interface Exchange {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decompressed. */
  readonly text: string;
  /** Milliseconds from the request to the end of the response. */
  readonly elapsed: number;
}

export interface ExchangeOptions {
  /** Hang up after so many milliseconds and take what has come; null reads to the end. */
  readonly readFor: number | null;
}

/** Timeout for a response: the longest wait of a case is well below it. */
const timeoutMs = 120_000;

/** Sends a request of the vocabulary to a server. */
export async function exchange(
  origin: URL,
  req: Mapping,
  { readFor }: ExchangeOptions = { readFor: null },
): Promise<Exchange> {
  const started = performance.now();
  const { json, raw } = req;
  const body = raw !== undefined ? String(raw) : json !== undefined ? writeJson(json) : undefined;
  const outgoing = httpRequest({
    host: origin.hostname,
    port: origin.port,
    method: String(req['method'] ?? 'GET'),
    headers: headersOf(req, body),
    agent: false,
    timeout: timeoutMs,
  });
  // Set after the constructor, which rejects the bytes that some cases are about. As it is written in the case: since Node 24 the
  // setter of a path rejects spaces in it.
  Object.defineProperty(outgoing, 'path', { value: Buffer.from(targetOf(req), 'utf8').toString('latin1') });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no response within ${timeoutMs} ms`)));
    outgoing.end(body);
  });
  const bytes = await readBody(incoming, readFor);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  // A stream that was cut off has no end: what has been flushed is read all the same.
  const text =
    headers['content-encoding'] === 'gzip'
      ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
      : bytes;
  const elapsed = performance.now() - started;
  return { status: incoming.statusCode ?? 0, headers, text: text.toString('utf8'), elapsed };
}

/** The path and query as they are written to the socket. */
export function targetOf(req: Mapping): string {
  const path = String(req['pathraw'] ?? req['path']);
  const { rawquery, query } = req;
  if (rawquery !== undefined) return `${path}?${String(rawquery)}`;
  if (query === undefined) return path;
  const pairs = Object.entries(query as Mapping).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map(
      (item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`,
    ),
  );
  return `${path}?${pairs.join('&')}`;
}

function headersOf(req: Mapping, body: string | undefined): Record<string, string> {
  const given = Object.entries((req['headers'] ?? {}) as Mapping).map(
    ([name, value]) => [name, String(value)] as const,
  );
  const length = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const];
  return Object.fromEntries([...length, ...given]);
}

function readBody(incoming: IncomingMessage, readFor: number | null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const finish = (): void => resolve(Buffer.concat(chunks));
    const timer = readFor === null ? undefined : setTimeout(hangUp, readFor);
    function hangUp(): void {
      finish();
      incoming.destroy();
    }
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
    incoming.once('end', () => (clearTimeout(timer), finish()));
    incoming.once('error', (error) => (clearTimeout(timer), reject(error)));
  });
}
