import { assertNever } from '../../syntax/ast.js';
import type { CompiledExpression } from '../compile.js';
import { lazy } from '../lazy.js';
import type { Predicate } from '../predicate.js';
import type { Runner } from '../runner.js';
import { createColumnCheck, type ColumnCheck } from './column-check.js';
import type { QuickExpression, QuickMatch, QuickName, QuickWalk, Settle } from './expression.js';
import { createElementPredicate } from './element-predicate.js';

/** Rows that are asked together: few enough for what is read of them to stay in the fastest cache. */
const sliceLength = 256;
/** The first slice of a page, which may need no more rows than it has places. */
const firstSlice = 32;

/**
 * The loops of closures: clause by clause over a slice of rows, instead of row by row over the clauses. A clause then
 * has loops of its own, which is worth more than it costs that these serve all filters.
 *
 * Errors must be those of the first row that fails, and what a row may cost counts for all its clauses together. So where
 * a clause throws, or has to pay beside others (`sharesAccount`), the slice is asked again, row by row.
 */
export function createBatchRunner({ quick, test: careful, beginRow }: CompiledExpression): Runner {
  const sharesAccount = beginRow !== null;
  const narrow = lazy(() => createNarrow(quick(), sharesAccount));
  const ask = (rows: readonly unknown[], from: number, to: number): Picks | null => {
    try {
      return narrowSlice(narrow(), rows, from, to);
    } catch {
      return null;
    }
  };
  const scan: Runner['scan'] = (rows, from, to, out, most) => {
    let size = most === Infinity ? sliceLength : firstSlice;
    for (let base = from; base < to;) {
      const end = Math.min(base + size, to);
      const found = ask(rows, base, end);
      const last =
        found === null ? scanRows(careful, rows, base, end, out, most) : take(found, rows, base, out, most);
      if (out.length === most) return last;
      base = end;
      size = Math.min(size * 2, sliceLength);
    }
    return to;
  };
  const select: Runner['select'] = (rows) => {
    const selected: unknown[] = [];
    scan(rows, 0, rows.length, selected, Infinity);
    return selected;
  };
  return { test: careful, scan, select, count: (rows) => select(rows).length };
}

/** Adds what a slice has found. Returns the place behind the last row that was needed. */
function take(
  { picks, count }: Picks,
  rows: readonly unknown[],
  base: number,
  out: unknown[],
  most: number,
): number {
  let last = base;
  for (let at = 0; at < count && out.length !== most; at += 1) {
    const place = base + (picks[at] ?? 0);
    out.push(rows[place]);
    last = place + 1;
  }
  return last;
}

function scanRows(
  holds: Predicate,
  rows: readonly unknown[],
  from: number,
  to: number,
  out: unknown[],
  most: number,
): number {
  for (let at = from; at < to; at += 1) {
    const row = rows[at];
    if ((row === undefined && !(at in rows)) || !holds(row)) continue;
    out.push(row);
    if (out.length === most) return at + 1;
  }
  return to;
}

/** The rows of a slice that hold, by their place in it. */
interface Picks {
  readonly picks: Uint16Array;
  readonly count: number;
}

/** The rows that are asked about. */
interface Slice {
  readonly rows: readonly unknown[];
  readonly base: number;
}

/** Keeps those of the first `count` picks, in their order, for which the clause answers `wanted`. Returns how many. */
type Narrow = (slice: Slice, picks: Uint16Array, count: number, wanted: boolean) => number;

function narrowSlice(narrow: Narrow, rows: readonly unknown[], from: number, to: number): Picks {
  const picks = new Uint16Array(to - from);
  let count = 0;
  for (let at = from; at < to; at += 1) {
    // Holes of an array are no rows.
    if (rows[at] === undefined && !(at in rows)) continue;
    picks[count] = at - from;
    count += 1;
  }
  return { picks, count: narrow({ rows, base: from }, picks, count, true) };
}

function createNarrow(node: QuickExpression, sharesAccount: boolean): Narrow {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const operands = node.operands.map((operand) => createNarrow(operand, sharesAccount));
      // `and` holds where all hold and fails where one fails; `or` the other way round.
      const all = narrowByAll(operands);
      const some = narrowBySome(operands);
      const isAnd = node.kind === 'and';
      return (slice, picks, count, wanted) => (wanted === isAnd ? all : some)(slice, picks, count, wanted);
    }
    case 'not': {
      const operand = createNarrow(node.operand, sharesAccount);
      return (slice, picks, count, wanted) => operand(slice, picks, count, !wanted);
    }
    case 'careful':
      return narrowByPredicate(sharesAccount ? askElsewhere : node.test);
    case 'match':
      return narrowByMatch(node, sharesAccount);
    case 'any':
    case 'all':
      return narrowByWalk(node, sharesAccount);
    default:
      return assertNever(node);
  }
}

function narrowByAll(operands: readonly Narrow[]): Narrow {
  return (slice, picks, count, wanted) => {
    let left = count;
    for (const operand of operands) left = operand(slice, picks, left, wanted);
    return left;
  };
}

/** Each operand is asked about the rows that the ones before it have left open. */
function narrowBySome(operands: readonly Narrow[]): Narrow {
  return (slice, picks, count, wanted) => {
    const isDecided = new Uint8Array(sliceLength);
    let open = picks.slice(0, count);
    for (const operand of operands) {
      const decided = open.slice();
      const found = operand(slice, decided, decided.length, wanted);
      for (let at = 0; at < found; at += 1) isDecided[decided[at] ?? 0] = 1;
      open = open.filter((pick) => isDecided[pick] === 0);
    }
    return compact(picks, count, (pick) => isDecided[pick] === 1);
  };
}

function narrowByPredicate(test: Predicate): Narrow {
  return ({ rows, base }, picks, count, wanted) =>
    compact(picks, count, (pick) => test(rows[base + pick]) === wanted);
}

function compact(picks: Uint16Array, count: number, keep: (pick: number) => boolean): number {
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    const pick = picks[at] ?? 0;
    if (!keep(pick)) continue;
    picks[kept] = pick;
    kept += 1;
  }
  return kept;
}

function narrowByMatch(node: QuickMatch, sharesAccount: boolean): Narrow {
  if (node.path.some(({ guard }) => guard !== null)) return narrowByPredicate(createElementPredicate(node));
  const check = createColumnCheck(node.check, node.isNegated);
  return narrowByColumn(node.path, node.settle, sharesAccount, check);
}

function narrowByWalk(node: QuickWalk, sharesAccount: boolean): Narrow {
  if (node.path.some(({ guard }) => guard !== null)) return narrowByPredicate(createElementPredicate(node));
  const body = createElementPredicate(node.body);
  const { longest, position } = node;
  const deciding = node.kind === 'any';
  const walk = (list: readonly unknown[]): boolean => {
    const { length } = list;
    for (let at = 0; at < length; at += 1) {
      position.key = at;
      if (body(list[at]) === deciding) return deciding;
    }
    return !deciding;
  };
  return narrowByColumn(node.path, node.settle, sharesAccount, (column, picks, count, wanted, odd) => {
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const list = column[at];
      const holds = Array.isArray(list) && list.length <= longest ? walk(list) : odd(at);
      if (holds !== wanted) continue;
      picks[kept] = picks[at] ?? 0;
      kept += 1;
    }
    return kept;
  });
}

/** Ends the batch: a row has to be paid for, and other clauses of the filter pay from the same account. */
const notHere = new Error('asked row by row');

function askElsewhere(): never {
  throw notHere;
}

/** Reads the values of a path for all rows of a slice, then checks them. */
function narrowByColumn(
  path: readonly QuickName[],
  settle: Settle,
  sharesAccount: boolean,
  check: ColumnCheck,
): Narrow {
  const names = path.map(({ text }) => text);
  return ({ rows, base }, picks, count, wanted) => {
    const columns = names.map(() => takeColumn());
    readFirst(rows, base, picks, count, names[0] ?? '', columns[0] ?? []);
    for (let at = 1; at < names.length; at += 1) {
      readNext(columns[at - 1] ?? [], count, names[at] ?? '', columns[at] ?? []);
    }
    const values = columns[columns.length - 1] ?? [];
    const odd = (at: number): boolean => {
      const value = values[at];
      if (sharesAccount && value !== undefined && value !== null) throw notHere;
      return settle(
        rows[base + (picks[at] ?? 0)],
        columns.map((column) => column[at]),
      );
    };
    const kept = check(values, picks, count, wanted, odd);
    for (const column of columns) giveBack(column);
    return kept;
  };
}

interface Holder {
  readonly [name: string]: unknown;
}

function readFirst(
  rows: readonly unknown[],
  base: number,
  picks: Uint16Array,
  count: number,
  name: string,
  into: unknown[],
): void {
  for (let at = 0; at < count; at += 1) {
    into[at] = (rows[base + (picks[at] ?? 0)] as Holder | null | undefined)?.[name];
  }
}

function readNext(holders: readonly unknown[], count: number, name: string, into: unknown[]): void {
  for (let at = 0; at < count; at += 1) into[at] = (holders[at] as Holder | null | undefined)?.[name];
}

/**
 * Columns that are not in use. A filter may be asked again while it is asked (by a getter of a row), so each use takes
 * columns of its own; a column that an error has kept is left to the garbage collector.
 */
const columns: unknown[][] = [];
const mostColumns = 16;

function takeColumn(): unknown[] {
  return columns.pop() ?? new Array<unknown>(sliceLength).fill(undefined);
}

/** What was read of somebody's rows is not kept. */
function giveBack(column: unknown[]): void {
  if (columns.length < mostColumns) columns.push(column.fill(undefined));
}
