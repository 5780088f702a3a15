import type { ClauseAccess } from '../table/row-matcher.js';
import type { Clause } from './clause.js';
import type { Owner } from './cache-entry.js';
import type { AnyColumn } from './node.js';
import type { PageData } from './page-data.js';
import { pathText } from './value-access.js';

/** Callbacks that say whether a build is allowed, and whether its cost is covered. */
interface Means {
  readonly mayRead: (column: AnyColumn) => boolean;
  /** Whether the owner has the maximum credit. */
  readonly isRich: (owner: Owner) => boolean;
}

/** Returns how a clause is evaluated on these pages at the moment. */
export function explainClause(clause: Clause, pages: readonly PageData[], means: Means): ClauseAccess {
  const unread = clause
    .leaves()
    .filter(({ column }) => pages.some((data) => data.of<AnyColumn>(column) === undefined));
  const result = (by: ClauseAccess['by'], why: string): ClauseAccess => ({ filter: clause.text, by, why });
  if (clause.node !== null && unread.length === 0) {
    const names = [...new Set(clause.leaves().map(({ column }) => pathText(column.access)))];
    return result('columns', `by ${names.join(', ')}`);
  }
  if (pages.every((data) => data.bitmaps.has(clause))) return result('kept', 'its result is cached');
  return result('rows', clause.node === null ? noColumn : whyUnread(unread[0]?.column, means));
}

const noColumn = 'it reads more than one value of a row, or one that is not a column';

function whyUnread(column: AnyColumn | undefined, { mayRead, isRich }: Means): string {
  if (column === undefined) return 'not all rows have been read';
  const name = pathText(column.access);
  if (!mayRead(column)) return `${name} is not among the columns`;
  if (column.isWide) return `${name} has too many different values`;
  return isRich(column)
    ? `the memory budget has no room for ${name}`
    : `${name} is read after enough queries use it`;
}
