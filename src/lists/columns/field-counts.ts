import type { PageBits } from '../table/page-bits.js';
import type { FieldCounts } from '../table/row-matcher.js';
import type { RowPage } from '../table/sorted-rows.js';
import type { Codes } from './codes.js';
import type { CodeColumn } from './column.js';

/** Creates a counter of the values of a column. */
export function createFieldCounts<T>(
  column: CodeColumn,
  codesOf: (page: RowPage<T>) => Codes | null,
): FieldCounts<T> {
  const counts: number[] = [];
  const { forgotten } = column;
  const samples = new Map<number, unknown>();
  return {
    count(page, bits, from, to) {
      const codes = codesOf(page);
      if (codes === null || column.forgotten !== forgotten) return false;
      codes.tally(bits, from, to, counts);
      for (let code = 1; code < counts.length; code += 1) {
        if ((counts[code] ?? 0) > 0 && !samples.has(code)) samples.set(code, column.values[code]);
      }
      return codes.uncertain === null ? null : common(bits, codes.uncertain);
    },
    *found() {
      for (const [code, value] of samples) yield { row: column.sample(value) as T, count: counts[code] ?? 0 };
    },
  };
}

function common(a: PageBits, b: PageBits): PageBits {
  return a.map((word, at) => word & (b[at] ?? 0));
}
