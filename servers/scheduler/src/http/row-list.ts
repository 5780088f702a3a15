import type { Readable } from 'node:stream';
import { jsonListStream, jsonListText, writeJson, type Slices } from '@tamis/http';
import { prettyIndent } from './answer.js';
import type { RowTest } from './row-source.js';

/** Rows that belong to an object, not yet looked at. */
export interface RowList {
  /** Collects and prints them, in slices. A long list becomes a stream. */
  print(pretty: boolean, slices: Slices, signal: AbortSignal): Promise<string | Readable>;
}

/** The rows that pass, each as `stub` shows it. */
export function rowList<T>(rows: Iterable<T>, where: RowTest<T> | null, stub: (row: T) => unknown): RowList {
  return {
    async print(pretty, slices, signal) {
      const indent = pretty ? prettyIndent : 0;
      const form = { pretty, write: (row: T): string => writeJson(stub(row), indent, 1) };
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
