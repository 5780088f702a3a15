import { createPager, type Pager } from '../list/index.js';
import type { Piece } from '../table/sorted-rows.js';
import { readAccessPath, type AccessPath, type RowPredicate } from './access-path.js';

/** The search for the rows of a list, to be done in slices. */
export interface ListScan<T> {
  /**
   * Looks at rows, some in any case, until the page is decided, which is true, or `isOver` tells it to pause.
   *
   * @throws FilterEvaluationError for a row that the filter cannot be asked about.
   */
  readonly advance: (isOver: () => boolean) => boolean;
  /** What has been found, and the page once it is decided. */
  readonly pager: Pager<T>;
}

export interface ScanRequest<T> {
  readonly path: AccessPath<T>;
  /** Which rows count at all; null for all. */
  readonly where: RowPredicate<T> | null;
  readonly reverse: boolean;
  /** The token of the first row wanted; empty for the beginning. */
  readonly nextToken: string;
  /** Most items of the page, 0 for all. */
  readonly perPage: number;
}

/**
 * Rows between two looks at the clock: at the beginning of a slice, and in the end. A row with long texts can take a good
 * part of a millisecond, so no slice begins with many; but where rows take next to nothing, most of it would go into looks.
 */
const fewest = 16;
const most = 64;

/** Searches along an access path. */
export function createListScan<T>({ path, where, ...request }: ScanRequest<T>): ListScan<T> {
  const { order, filter } = path;
  const pager = createPager({ ...request, order, filter: filter ?? undefined });
  const pieces = readAccessPath(path, pager.start, request.reverse);
  let piece: Piece<T> = { rows: [], from: 0, to: 0 };
  let at = 0;

  return {
    advance(isOver) {
      let count = fewest;
      do {
        if (at === piece.to) {
          const { done, value } = pieces.next();
          if (done === true) return true;
          piece = value;
          at = piece.from;
        }
        const { rows } = piece;
        const from = at;
        at = Math.min(from + count, piece.to);
        count = Math.min(count * 2, most);
        if (
          where === null ? pager.takeAll(rows, from, at) : pager.takeAll(rows.slice(from, at).filter(where))
        )
          return true;
      } while (!isOver());
      return false;
    },
    pager,
  };
}
