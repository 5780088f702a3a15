import { promisify } from 'node:util';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Row, RowChange } from '@tamis/etcd';
import { RowFormatError, type RowFormat, type RowReader } from '../row-format.js';
import type { Batch, StoredRow } from '../storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/**
 * Rows as etcd stores them. The key is `<table>/<key>`, because table names contain no slash. The value is in the readable row
 * format. Large values are compressed, so that every row fits an etcd value, whatever its key.
 */
export type RowCodec = ReturnType<typeof createRowCodec>;

/** Minimum size for compression, in bytes: half the maximum value size of etcd. */
const compressedFrom = 1 << 19;
/** Prefix of a compressed value; no value in the row format starts with it. */
const compressedMark = Buffer.from('z');
/** Maximum decompressed size, in bytes. Prevents a few bytes from filling the memory. */
const maxExpanded = 1 << 28;
/** Maximum time of encoding or decoding rows before other work runs, in ms. */
const maxTurnMs = 5;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

export function createRowCodec(format: RowFormat) {
  async function decodeRows(rows: readonly Row[], read: RowReader): Promise<StoredRow[]> {
    return inTurns(rows, async ({ key, value }) => {
      const { table, key: own } = splitKey(key);
      return { table, key: own, row: readRow(table, await textOf(table, value), read) };
    });
  }

  return {
    async encode({ puts, deletes }: Pick<Batch, 'puts' | 'deletes'>): Promise<readonly RowChange[]> {
      const put = await inTurns(puts, async ({ table, key, row }): Promise<RowChange> => {
        const value = Buffer.from(format.write(table, row));
        return { key: `${table}/${key}`, value: value.length < compressedFrom ? value : await packed(value) };
      });
      return [...put, ...deletes.map(({ table, key }) => ({ key: `${table}/${key}`, value: undefined }))];
    },
    /** @throws StorageError `damaged` */
    async decode(changes: readonly RowChange[]): Promise<Pick<Batch, 'puts' | 'deletes'>> {
      const rows = changes.filter((change): change is Row => change.value !== undefined);
      const deletes = changes.flatMap(({ key, value }) => (value === undefined ? [splitKey(key)] : []));
      // Equal rows arrive in one batch. A reader reused across batches would keep everything it has read.
      return { puts: await decodeRows(rows, format.reader()), deletes };
    },
    /** Decodes the rows of a whole log. @throws StorageError `damaged` */
    async *decodeAll(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly StoredRow[]> {
      const read = format.reader();
      for await (const page of pages) yield await decodeRows(page, read);
    },
  };
}

/** Processes items one after the other, with pauses for other work. */
async function inTurns<A, B>(items: readonly A[], change: (item: A) => Promise<B>): Promise<B[]> {
  const changed: B[] = [];
  let pause = performance.now() + maxTurnMs;
  for (const item of items) {
    changed.push(await change(item));
    if (performance.now() < pause) continue;
    await nextTurn();
    pause = performance.now() + maxTurnMs;
  }
  return changed;
}

async function packed(value: Buffer): Promise<Buffer> {
  return Buffer.concat([compressedMark, await compress(value)]);
}

async function textOf(table: string, value: Buffer): Promise<string> {
  if (value[0] !== compressedMark[0]) return value.toString();
  try {
    return (await expand(value.subarray(1), { maxOutputLength: maxExpanded })).toString();
  } catch (error) {
    throw unreadable(table, (error as Error).message);
  }
}

function splitKey(key: string): { readonly table: string; readonly key: string } {
  const end = key.indexOf('/');
  if (end === -1)
    throw new StorageError('damaged', `etcd holds a row without a table: ${JSON.stringify(key)}`);
  return { table: key.slice(0, end), key: key.slice(end + 1) };
}

function readRow(table: string, text: string, read: RowReader): object {
  try {
    return read(table, text);
  } catch (error) {
    if (error instanceof RowFormatError) throw unreadable(table, error.message);
    throw error;
  }
}

function unreadable(table: string, problem: string): StorageError {
  return new StorageError(
    'damaged',
    `etcd holds a row of ${JSON.stringify(table)} that cannot be read: ${problem}`,
  );
}
