import { pause, type Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import { isUnavailable } from '../errors.js';
import type { KeyValue } from '../protocol/messages.js';
import { methods } from '../protocol/methods.js';
import { rangeRequest, type KeyRange } from '../protocol/requests.js';

/** Keys of a page: etcd counts the whole rest of a range for each one, so many small pages cost by the square. */
const pageSize = 10_000;
/** Keys of a rest that is worth being cut into parts, so that less is counted again. */
const largeRest = 5 * pageSize;
/** Milliseconds for a page of large rows. */
const pageTimeout = 30_000;
const retryDelay = 250;

export interface LoadDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The keys of a range at one revision, in pages. Waits as long as etcd cannot be reached; the next page is on its way
 * while one is used.
 *
 * @throws EtcdError `compacted` when the revision is gone meanwhile.
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
    // It is waited for later, or never when the reader leaves.
    ahead?.catch(() => undefined);
    if (page.kvs.length > 0) yield page.kvs;
  }
}

interface Page {
  readonly kvs: readonly KeyValue[];
  /** The first key that the next page may have. */
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
      await pause(clock, retryDelay, signal);
    }
  }
}

function restOf(key: string, end: Buffer | undefined): KeyRange {
  return end === undefined ? { key } : { key, end };
}

/**
 * Returns the rest after a page in parts, split by the byte after the common prefix of the page's keys, at the bytes common in
 * IDs and names. Parts may be empty.
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
