import type { Readable } from 'node:stream';
import type { Chunk, TimeSlicer } from '@tamis/http';
import { prettyIndent, printBody } from '../kernel/requests/response-body.js';
import type { RowPredicate } from 'tamis/query';
import { createRowWriter, type RowWriter } from './row-writer.js';

/** Rows related to an object, evaluated lazily. */
export interface RowList {
  /** Collects and prints the rows in slices. A long list becomes a stream. */
  print(pretty: boolean, slices: TimeSlicer, signal: AbortSignal): Promise<Chunk | Readable>;
}

const writeCompact = createRowWriter(0);
const writePretty = createRowWriter(prettyIndent);

/** Returns the matching rows, each converted by `stub`. */
export function rowList<T>(
  rows: Iterable<T>,
  where: RowPredicate<T> | null,
  stub: (row: T) => object,
  /** Name of a field that has the same object in many rows, such as their job. That object is serialised only once. */
  shared = '',
): RowList {
  return {
    async print(pretty, slices, signal) {
      const found: T[] = [];
      const left = rows[Symbol.iterator]();
      const work = slices.run((shouldYield) => {
        while (!shouldYield()) {
          const { done, value } = left.next();
          if (done === true) return true;
          if (where === null || where(value)) found.push(value);
        }
        return false;
      }, signal);
      if (work !== null) await work;
      const write: RowWriter = pretty ? writePretty : writeCompact;
      return printBody(
        listPieces(found, pretty, (row) => write(stub(row), shared)),
        slices,
        signal,
      );
    },
  };
}

function* listPieces<T>(
  rows: readonly T[],
  pretty: boolean,
  write: (row: T) => Iterable<Chunk>,
): Generator<Chunk, void, undefined> {
  const newline = pretty ? `\n${' '.repeat(prettyIndent)}` : '';
  for (const [at, row] of rows.entries()) {
    yield `${at === 0 ? '[' : ','}${newline}`;
    yield* write(row);
  }
  if (rows.length === 0) yield '[';
  else if (pretty) yield '\n';
  yield pretty ? ']\n' : ']';
}
