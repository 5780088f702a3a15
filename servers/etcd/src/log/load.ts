import { sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import { isUnavailable } from '../errors.js';
import type { KeyValue } from '../protocol/messages.js';
import { methods } from '../protocol/methods.js';
import { rangeRequest, type KeyRange } from '../protocol/requests.js';

/** Keys per page. For each page etcd counts the rest of the range, so the cost of many small pages is quadratic. */
const pageSize = 10_000;
/** Minimum number of remaining keys for which the range is split, so that etcd counts fewer keys per page. */
const largeRest = 5 * pageSize;
/** Timeout for one page, in ms; long enough for large rows. */
const pageTimeout = 30_000;
const retryDelay = 250;

export interface LoadDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Yields the keys of a range at one revision, in pages. Retries while etcd is unreachable. The next page is prefetched while the
 * caller processes the current one.
 *
 * @throws EtcdError `compacted` if the revision has been compacted meanwhile.
 */
export async function* loadRange(
  dependencies: LoadDependencies,
  range: KeyRange,
  revision: number,
): AsyncGenerator<readonly KeyValue[]> {
  const parts: KeyRange[] = [range];
  let ahead: Promise<Page> | undefined;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const page: Page = await (ahead ?? loadPage(dependencies, part, revision));
    if (page.rest > 0)
      parts.unshift(...(page.rest > largeRest ? cut(page, part.end) : [restOf(page.next, part.end)]));
    const [following] = parts;
    ahead = following === undefined ? undefined : loadPage(dependencies, following, revision);
    // Prevents an unhandled rejection: the page is awaited later, or never if the reader stops.
    ahead?.catch(() => undefined);
    if (page.kvs.length > 0) yield page.kvs;
  }
}

interface Page {
  readonly kvs: readonly KeyValue[];
  /** Lower bound of the keys of the next page. */
  readonly next: string;
  /** The number of keys after this page. */
  readonly rest: number;
}

async function loadPage(
  { transport, clock, signal }: LoadDependencies,
  range: KeyRange,
  revision: number,
): Promise<Page> {
  const request = rangeRequest(range, { revision, limit: pageSize });
  for (;;) {
    try {
      const { kvs, count } = await transport.call(methods.range, request, { timeout: pageTimeout });
      const next = `${kvs.at(-1)?.key.toString() ?? ''}\0`;
      return { kvs, next, rest: Number(count) - kvs.length };
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error;
      await sleep(clock, retryDelay, signal);
    }
  }
}

function restOf(key: string, end: Buffer | undefined): KeyRange {
  return end === undefined ? { key } : { key, end };
}

/**
 * Splits the range after a page into parts. The bounds are the common prefix of the page's keys followed by each byte that is usual
 * in IDs and names. Parts may be empty.
 */
function cut({ kvs, next }: Page, end: Buffer | undefined): KeyRange[] {
  const common = commonPrefix(kvs[0]?.key ?? Buffer.alloc(0), kvs.at(-1)?.key ?? Buffer.alloc(0));
  const from = Buffer.from(next);
  const bounds: Buffer[] = [];
  for (let byte = 0x2d; byte <= 0x7b; byte += 1) bounds.push(Buffer.concat([common, Buffer.of(byte)]));
  const last = common.at(-1);
  if (last !== undefined) bounds.push(Buffer.concat([common.subarray(0, -1), Buffer.of(last + 1)]));
  const inside = bounds.filter(
    (bound) => Buffer.compare(bound, from) > 0 && (end === undefined || Buffer.compare(bound, end) < 0),
  );
  return [from, ...inside].map((start, n) => restOf(start.toString(), inside[n] ?? end));
}

/**
 * Returns the common prefix of two keys, up to an ASCII character before the last one, so that a cut is never inside of a
 * character.
 */
function commonPrefix(a: Buffer, b: Buffer): Buffer {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  while (length > 0 && a.readUInt8(length - 1) >= 0x7e) length -= 1;
  return a.subarray(0, length);
}
