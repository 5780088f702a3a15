import { chunkWords, type PageBits } from '../table/page-bits.js';
import type { RowPage } from '../table/sorted-rows.js';
import type { Clause } from './clause.js';
import type { Codes } from './codes.js';
import type { CodeColumn } from './column.js';
import type { KeptBits } from './kept-bits.js';
import type { NumberColumn, Numbers } from './numbers.js';

/** What is kept beside a page. */
export class PageData {
  readonly codes = new Map<CodeColumn, Codes>();
  readonly numbers = new Map<NumberColumn, Numbers>();
  readonly kept = new Map<Clause, KeptBits>();
  /** The places that have a row, and how many. */
  readonly rows: PageBits;
  readonly size: number;

  constructor(readonly page: RowPage<unknown>) {
    const rows = new Int32Array(page.length * chunkWords);
    let size = 0;
    for (const [at, chunk] of page.entries()) {
      size += chunk.length;
      for (let place = 0; place < chunk.length; place += 32) {
        const left = chunk.length - place;
        rows[at * chunkWords + place / 32] = left >= 32 ? -1 : ~(-1 << left);
      }
    }
    this.rows = rows;
    this.size = size;
  }

  /** The codes of a column; undefined for none, and for those of values that it has forgotten. */
  codesOf(column: CodeColumn): Codes | undefined {
    const codes = this.codes.get(column);
    return codes?.forgotten === column.forgotten ? codes : undefined;
  }
}
