import { compareBytewise, list, type Order, type Page } from 'tamis';
import { readSource, seekKey, type Direction, type RowSource, type RowTest } from './row-source.js';

/** The search for the rows of a list, to be done in slices. */
export interface ListScan<T> {
  /**
   * Looks at rows until the page is decided, which is true, or `isOver` tells it to pause.
   *
   * @throws FilterEvaluationError for a row that the filter cannot be asked about.
   */
  advance(isOver: () => boolean): boolean;
  /** The rows found, once the page is decided, and the token of the next page. */
  page(): Page<T>;
  /** How many rows have been found so far. */
  readonly found: number;
  /** How many rows the filter was asked about so far. */
  readonly examined: number;
}

export interface ScanRequest<T> extends Direction {
  readonly source: RowSource<T>;
  /** Which rows count at all; null for all. */
  readonly where: RowTest<T> | null;
  /** Most items of the page, 0 for all. */
  readonly perPage: number;
}

/** Rows between two looks at the clock: those of one look must not take long, and a look costs half a row. */
const rowsAtOnce = 16;

/**
 * Searches a source. The filter is asked only until the page and its token are decided, as the pager of the engine does:
 * a row further on cannot fail the page.
 */
export function createListScan<T>(request: ScanRequest<T>): ListScan<T> {
  const { source, where, perPage } = request;
  const { order, filter } = source;
  const rows = readSource(source, request)[Symbol.iterator]();
  const found: T[] = [];
  const wanted = perPage === 0 ? Infinity : perPage + 1;
  let isBefore = rowsBefore(order, request);
  let examined = 0;

  /** Looks at a number of rows; true when there are no more, or no more are needed. */
  function look(count: number): boolean {
    for (let left = count; left > 0; left -= 1) {
      const { done, value: row } = rows.next();
      if (done === true) return true;
      if (isBefore !== null && isBefore(row)) continue;
      if (where !== null && !where(row)) continue;
      examined += 1;
      if (filter !== null && !filter.test(row)) continue;
      // What follows the first item follows the token, too.
      isBefore = null;
      found.push(row);
      if (found.length === wanted) return true;
    }
    return false;
  }

  return {
    advance(isOver) {
      while (!isOver()) if (look(rowsAtOnce)) return true;
      return false;
    },
    page() {
      if (perPage === 0) return { items: found, nextToken: null };
      return list(found, { order, sorted: true, reverse: request.reverse, perPage });
    },
    get found() {
      return found.length;
    },
    get examined() {
      return examined;
    },
  };
}

/**
 * Tells the rows before a token that names no place in the order, such as `abc` where tokens are `<index>.<text>`: it
 * is compared with the tokens of the rows, as text. Null where the rows begin at the token already.
 */
function rowsBefore<T>(order: Order<T>, { nextToken, reverse }: Direction): RowTest<T> | null {
  if (nextToken === '' || seekKey(order, nextToken) !== null) return null;
  return (row) => {
    const token = `${order.index?.(row) ?? ''}.${order.text(row)}`;
    const distance = compareBytewise(token, nextToken);
    return reverse ? distance > 0 : distance < 0;
  };
}
