import { promisify } from 'node:util';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Row, RowChange } from '@tamis/etcd';
import { RowFormatError, type RowFormat, type RowReader } from '../row-format.js';
import type { Batch, StoredRow } from '../storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/**
 * Rows as etcd has them: the key is `<table>/<key>`, because no table has a slash in its name; the value is in the row format,
 * which an operator can read. Large values are compressed, so that every row of the state fits an etcd value, whatever its key.
 */
export interface RowCodec {
  encode(batch: Pick<Batch, 'puts' | 'deletes'>): Promise<readonly RowChange[]>;
  /** @throws StorageError `damaged` */
  decode(changes: readonly RowChange[]): Promise<Pick<Batch, 'puts' | 'deletes'>>;
  /** Rows of a whole log. @throws StorageError `damaged` */
  decodeAll(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly StoredRow[]>;
}

/** Minimum size for compression, in bytes: half of the maximum of etcd. */
const compressedFrom = 1 << 19;
/** The prefix of a compressed value; no value in the row format begins with it. */
const compressedMark = Buffer.from('z');
/** Maximum decompressed size, in bytes. Prevents a few bytes from filling the memory. */
const maxExpanded = 1 << 28;
/** Milliseconds for which rows are read or written before others get a turn. */
const maxTurnMs = 5;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

export function createRowCodec(format: RowFormat): RowCodec {
  async function decodeRows(rows: readonly Row[], read: RowReader): Promise<StoredRow[]> {
    return inTurns(rows, async ({ key, value }) => {
      const { table, key: own } = splitKey(key);
      return { table, key: own, row: readRow(table, await textOf(table, value), read) };
    });
  }

  return {
    async encode({ puts, deletes }) {
      const put = await inTurns(puts, async ({ table, key, row }): Promise<RowChange> => {
        const value = Buffer.from(format.write(table, row));
        return { key: `${table}/${key}`, value: value.length < compressedFrom ? value : await packed(value) };
      });
      return [...put, ...deletes.map(({ table, key }) => ({ key: `${table}/${key}`, value: undefined }))];
    },
    async decode(changes) {
      const rows = changes.filter((change): change is Row => change.value !== undefined);
      const deletes = changes.flatMap(({ key, value }) => (value === undefined ? [splitKey(key)] : []));
      // Rows that are equal come in one batch; a reader that went on would keep all that it has ever read.
      return { puts: await decodeRows(rows, format.reader()), deletes };
    },
    async *decodeAll(pages) {
      const read = format.reader();
      for await (const page of pages) yield await decodeRows(page, read);
    },
  };
}

/** One after the other, with turns for others between them. */
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
