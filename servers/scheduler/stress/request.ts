import { get, type Agent } from 'node:http';
import { createGunzip } from 'node:zlib';

/** The result of a request. */
export interface Reply {
  readonly status: number;
  readonly nextToken: string | null;
  /** Milliseconds to the first byte of the body, and to the last. */
  readonly first: number;
  readonly total: number;
  /** Bytes of the body as they travelled. */
  readonly bytes: number;
  /** How many objects of the list there are. */
  readonly rows: number;
}

/** A string that the body of a list contains exactly once per row. */
const rowMark = Buffer.from('{"ID":"');

/** Requests a list and counts its rows as they arrive, without storing them. */
export function request(origin: string, path: string, agent: Agent, gzip = false): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = gzip ? { 'accept-encoding': 'gzip' } : {};
    const sent = get(`${origin}${path}`, { agent, headers }, (response) => {
      let first = 0;
      let bytes = 0;
      let rows = 0;
      let rest: Buffer = Buffer.alloc(0);
      response.on('data', (chunk: Buffer) => {
        first ||= performance.now() - start;
        bytes += chunk.length;
      });
      const body = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
      body.on('data', (chunk: Buffer) => {
        const text = Buffer.concat([rest, chunk]);
        rows += countMarks(text);
        rest = text.subarray(Math.max(0, text.length - rowMark.length + 1));
      });
      response.on('aborted', () => reject(new Error('The response broke off')));
      body.on('error', reject);
      body.on('end', () => {
        const token = response.headers['x-scheduler-nexttoken'];
        const nextToken = typeof token === 'string' ? token : null;
        const status = response.statusCode ?? 0;
        resolve({ status, nextToken, first, total: performance.now() - start, bytes, rows });
      });
    });
    sent.on('error', reject);
  });
}

function countMarks(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(rowMark); at !== -1; at = text.indexOf(rowMark, at + rowMark.length)) count += 1;
  return count;
}

/** Requests one path after the other on several connections for a while; returns requests per second. */
export async function load(
  origin: string,
  path: (at: number) => string,
  agent: Agent,
  { connections, milliseconds }: { readonly connections: number; readonly milliseconds: number },
): Promise<number> {
  let count = 0;
  let at = 0;
  const start = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() - start < milliseconds) {
      at += 1;
      const { status } = await request(origin, path(at), agent);
      if (status !== 200) throw new Error(`${path(at)} is ${status}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return (count * 1_000) / (performance.now() - start);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}
