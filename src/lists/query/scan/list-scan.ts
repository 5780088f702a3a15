import { startPager } from '../../list/pager.js';
import type { Piece } from '../../table/sorted-rows.js';
import { parseToken, type Key } from '../../list/order.js';
import { readAccessPath } from './access-path.js';
import { ScanRate } from './scan-rate.js';
import type { createTableScan } from './table-scan.js';
import type { ListScan, ScanRequest } from './scan-request.js';
import { regroupPieces } from './sort-order.js';

export type { ListScan, ScanRequest } from './scan-request.js';

/** Yields chunks of rows in page order, optionally starting at a position. An empty chunk lets other work run. */
export function readRows<T>(
  { path, reverse, partialSort = null }: Pick<ScanRequest<T>, 'path' | 'reverse' | 'partialSort'>,
  start: Key | null,
): Generator<Piece<T>, void, undefined> {
  if (partialSort === null) return readAccessPath(path, start, reverse);
  const from = start === null ? null : partialSort.startOf(start);
  return regroupPieces(readAccessPath(path, from, partialSort.isDescending), partialSort, reverse);
}

/** Creates a scan that uses columns; null until the module of columns is loaded. */
let searchTable: typeof createTableScan | null = null;

/** Registers the scan that uses columns. */
export function useMatchers(search: typeof createTableScan): void {
  searchTable = search;
}

/** Creates a scan along an access path. */
export function createListScan<T>(request: ScanRequest<T>): ListScan<T> {
  return searchTable?.(request) ?? createRowScan(request);
}

function createRowScan<T>(request: ScanRequest<T>): ListScan<T> {
  const { path, where, reverse, nextToken, perPage, partialSort = null } = request;
  const { order } = partialSort ?? path;
  const target = nextToken === '' ? null : parseToken(order, nextToken);
  const limit = perPage === 0 ? Infinity : perPage;
  const pager = startPager({ reverse, target, perPage: limit, order, filter: path.filter });
  const pieces = readRows(request, pager.start);
  const pace = new ScanRate();
  let piece: Piece<T> = { rows: [], from: 0, to: 0 };
  let at = 0;

  return {
    advance(shouldYield) {
      pace.begin();
      let from;
      do {
        if (at === piece.to) {
          const { done, value } = pieces.next();
          if (done === true) return true;
          piece = value;
          at = piece.from;
        }
        const { rows } = piece;
        from = at;
        at += pace.take(piece.to - at);
        if (where === null ? pager.addAll(rows, from, at) : pager.addAll(rows.slice(from, at).filter(where)))
          return true;
      } while ((from < at && !pace.isDue()) || !shouldYield());
      return false;
    },
    pager,
  };
}
