import type { Readable } from 'node:stream';
import { jsonListStream, jsonListText, type Slices } from '@tamis/http';
import { prettyIndent } from './answer.js';
import type { RowTest } from './row-source.js';
import { createRowWriter } from './row-writer.js';

/** Rows that belong to an object, not yet looked at. */
export interface RowList {
  /** Collects and prints them, in slices. A long list becomes a stream. */
  print(pretty: boolean, slices: Slices, signal: AbortSignal): Promise<string | Readable>;
}

const writeCompact = createRowWriter(0);
const writePretty = createRowWriter(prettyIndent);

/** The rows that pass, each as `stub` shows it. */
export function rowList<T>(
  rows: Iterable<T>,
  where: RowTest<T> | null,
  stub: (row: T) => object,
  /** A field under which many rows hold the same object, such as their job: it is written once for all of them. */
  shared = '',
): RowList {
  return {
    async print(pretty, slices, signal) {
      const write = pretty ? writePretty : writeCompact;
      const form = { pretty, write: (row: T): string => write(stub(row), shared) };
      const found: T[] = [];
      const left = rows[Symbol.iterator]();
      let text: string | null = null;
      const work = slices.run((isOver) => {
        while (!isOver()) {
          const { done, value } = left.next();
          if (done === true) {
            text = jsonListText(found, form);
            return true;
          }
          if (where === null || where(value)) found.push(value);
        }
        return false;
      }, signal);
      if (work !== null) await work;
      return text ?? jsonListStream(found, form, slices);
    },
  };
}
