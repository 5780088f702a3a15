import { assertNever } from '../../syntax/ast.js';
import type { CompiledExpression } from '../compile.js';
import { lazy } from '../lazy.js';
import type { Predicate } from '../predicate.js';
import type { Runner } from '../runner.js';
import { isPlain } from '../../values/object-class.js';
import { createColumnCheck, type ColumnCheck } from './column-check.js';
import type { QuickExpression, QuickMatch, QuickPair, QuickWalk, Settle } from './expression.js';
import { createElementPredicate, createListWalk } from './element-predicate.js';

/** Rows that are asked together: few enough for what is read of them to stay in the fastest cache. */
const sliceLength = 256;
/** The first slice of a page, which may need no more rows than it has places. */
const firstSlice = 32;

/**
 * The loops of closures: clause by clause over a slice of rows, instead of row by row over the clauses. A clause then
 * has loops of its own, which is worth more than it costs that these serve all filters.
 *
 * Errors must be those of the first row that fails, and nothing of a row may be read again because another one has failed:
 * so a row on which a clause throws ends the slice there, and the rows before it are asked on. What a row may cost counts
 * for all its clauses together: a row on which a clause has to pay beside others (`sharesAccount`) is asked by itself.
 */
export function createBatchRunner({ quick, test: careful, account }: CompiledExpression): Runner {
  const sharesAccount = account !== null;
  const narrow = lazy(() => createNarrow(quick(), sharesAccount));
  const scan: Runner['scan'] = (rows, from, to, out, most) => {
    let size = most === Infinity ? sliceLength : firstSlice;
    for (let base = from; base < to;) {
      const end = Math.min(base + size, to);
      const last = scanSlice(narrow(), careful, createSlice(rows, base, end), out, most);
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

/** Adds what a slice has found, until there is `most`. Returns the place behind the last row that was needed. */
function scanSlice(narrow: Narrow, careful: Predicate, slice: Slice, out: unknown[], most: number): number {
  const picks = takePicks();
  const count = narrow(slice, picks, pickRows(slice, picks), true);
  const last =
    slice.alone === null
      ? take(slice, picks, count, out, most)
      : takeBeside(slice, slice.alone, careful, picks, count, out, most);
  giveBackPicks(picks);
  if (slice.failure !== null && out.length !== most) throw slice.failure.error;
  return last;
}

/** The places of all rows of a slice. Returns how many there are. */
function pickRows({ rows, base, end }: Slice, picks: Uint16Array): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) {
    // Holes of an array are no rows.
    if (rows[base + at] === undefined && !(base + at in rows)) continue;
    picks[count] = at;
    count += 1;
  }
  return count;
}

/** Places that are not in use, for as many rows as a slice has. */
const sparePicks: Uint16Array[] = [];

function takePicks(): Uint16Array {
  return sparePicks.pop() ?? new Uint16Array(sliceLength);
}

function giveBackPicks(picks: Uint16Array): void {
  if (sparePicks.length < 16) sparePicks.push(picks);
}

function take(
  { rows, base, end }: Slice,
  picks: Uint16Array,
  count: number,
  out: unknown[],
  most: number,
): number {
  let last = base;
  for (let at = 0; at < count && out.length !== most; at += 1) {
    const pick = picks[at] ?? 0;
    if (pick >= end) break;
    out.push(rows[base + pick]);
    last = base + pick + 1;
  }
  return last;
}

/** As {@link take}, with the rows that are asked by themselves in their places among the others. */
function takeBeside(
  { rows, base, end }: Slice,
  alone: ReadonlySet<number>,
  careful: Predicate,
  picks: Uint16Array,
  count: number,
  out: unknown[],
  most: number,
): number {
  const found = new Set(picks.subarray(0, count));
  let last = base;
  for (let pick = 0; pick < end && out.length !== most; pick += 1) {
    const row = rows[base + pick];
    if (!(alone.has(pick) ? careful(row) : found.has(pick))) continue;
    out.push(row);
    last = base + pick + 1;
  }
  return last;
}

/** The rows that are asked about, and what turned up while they were. */
interface Slice {
  readonly rows: readonly unknown[];
  readonly base: number;
  /** Rows from this place of the slice on do not matter: the one there has failed. */
  end: number;
  failure: { readonly error: unknown } | null;
  /** Places of the rows that are asked by themselves; null where there are none. */
  alone: Set<number> | null;
}

function createSlice(rows: readonly unknown[], from: number, to: number): Slice {
  return { rows, base: from, end: to - from, failure: null, alone: null };
}

/** Asks a clause about one row. The answer for one that does not matter any more, or is asked by itself, is any. */
function ask(slice: Slice, pick: number, clause: () => boolean): boolean {
  if (pick >= slice.end) return false;
  try {
    return clause();
  } catch (error) {
    if (error === needsAccount) setAside(slice, pick);
    else fail(slice, pick, error);
    return false;
  }
}

function fail(slice: Slice, pick: number, error: unknown): void {
  if (pick >= slice.end) return;
  slice.end = pick;
  slice.failure = { error };
}

function setAside(slice: Slice, pick: number): void {
  slice.alone ??= new Set();
  slice.alone.add(pick);
}

/** Ends a clause: the row has to be paid for, and other clauses of the filter pay from the same account. */
const needsAccount = new Error('asked by itself');

/** Keeps those of the first `count` picks, in their order, for which the clause answers `wanted`. Returns how many. */
type Narrow = (slice: Slice, picks: Uint16Array, count: number, wanted: boolean) => number;

function createNarrow(node: QuickExpression, sharesAccount: boolean): Narrow {
  const clause = createClause(node, sharesAccount);
  return (slice, picks, count, wanted) => clause(slice, picks, countOpen(slice, picks, count), wanted);
}

/** Leaves out the rows that do not matter any more and those that are asked by themselves. Returns how many there are left. */
function countOpen({ end, failure, alone }: Slice, picks: Uint16Array, count: number): number {
  if (alone !== null) return compact(picks, count, (pick) => pick < end && !alone.has(pick));
  return failure === null ? count : compact(picks, count, (pick) => pick < end);
}

function createClause(node: QuickExpression, sharesAccount: boolean): Narrow {
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
      return sharesAccount ? leaveAlone : narrowByPredicate(node.test);
    case 'match':
      return narrowByMatch(node, sharesAccount);
    case 'pair':
      return narrowByGuarded(node, sharesAccount);
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
    const isDecided = takePicks().fill(0);
    const open = takePicks();
    const asked = takePicks();
    open.set(picks);
    let left = count;
    for (const operand of operands) {
      asked.set(open);
      const found = operand(slice, asked, left, wanted);
      for (let at = 0; at < found; at += 1) isDecided[asked[at] ?? 0] = 1;
      left = keepMarked(open, left, isDecided, 0);
    }
    const kept = keepMarked(picks, count, isDecided, 1);
    for (const each of [isDecided, open, asked]) giveBackPicks(each);
    return kept;
  };
}

/** Keeps the picks with a mark. Returns how many. */
function keepMarked(picks: Uint16Array, count: number, marks: Uint16Array, mark: 0 | 1): number {
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    const pick = picks[at] ?? 0;
    if (marks[pick] !== mark) continue;
    picks[kept] = pick;
    kept += 1;
  }
  return kept;
}

function narrowByPredicate(test: Predicate): Narrow {
  return (slice, picks, count, wanted) => {
    const { rows, base } = slice;
    return compact(picks, count, (pick) => ask(slice, pick, () => test(rows[base + pick])) === wanted);
  };
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

/** What only the careful closures answer, in a filter whose clauses share an account. */
const leaveAlone: Narrow = (slice, picks, count) => {
  for (let at = 0; at < count; at += 1) setAside(slice, picks[at] ?? 0);
  return 0;
};

function narrowByMatch(node: QuickMatch, sharesAccount: boolean): Narrow {
  if (isGuarded(node)) return narrowByGuarded(node, sharesAccount);
  return narrowByColumn(node, sharesAccount, createColumnCheck(node.check, node.isNegated));
}

function narrowByWalk(node: QuickWalk, sharesAccount: boolean): Narrow {
  if (isGuarded(node)) return narrowByGuarded(node, sharesAccount);
  const walk = createListWalk(sharesAccount ? { ...node, body: askedForNothing(node.body) } : node);
  const { longest } = node;
  return narrowByColumn(node, sharesAccount, (column, picks, count, wanted, { odd, fail, ask }) => {
    let kept = 0;
    let at = 0;
    // An element for which the row has to pay ends no slice.
    const hold = sharesAccount ? (list: readonly unknown[]) => ask(at, () => walk(list)) : walk;
    try {
      for (; at < count; at += 1) {
        const list = column[at];
        const holds = Array.isArray(list) && list.length <= longest ? hold(list) : odd(at);
        if (holds !== wanted) continue;
        picks[kept] = picks[at] ?? 0;
        kept += 1;
      }
    } catch (error) {
      fail(at, error);
    }
    return kept;
  });
}

function isGuarded({ path }: QuickMatch | QuickWalk): boolean {
  return path.some(({ guard }) => guard !== null);
}

function narrowByGuarded(node: QuickMatch | QuickPair | QuickWalk, sharesAccount: boolean): Narrow {
  if (!sharesAccount) return narrowByPredicate(createElementPredicate(node));
  return narrowByPredicate(createElementPredicate(askedForNothing(node)));
}

/** An expression that leaves a row by itself where a part of it has to be paid for. */
function askedForNothing(node: QuickExpression): QuickExpression {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, operands: node.operands.map(askedForNothing) };
    case 'not':
      return { ...node, operand: askedForNothing(node.operand) };
    case 'careful':
      return node;
    case 'any':
    case 'all':
      return { ...node, settle: settleForNothing(node), body: askedForNothing(node.body) };
    default:
      return { ...node, settle: settleForNothing(node) };
  }
}

/** The answers that cost nothing, whatever the row: those for what plain objects lack. For all others an account is opened. */
function settleForNothing({ settle }: QuickMatch | QuickPair | QuickWalk): Settle {
  return (row, read) => {
    const value = read[read.length - 1];
    if (read.length === 0 || (value !== undefined && value !== null)) throw needsAccount;
    for (const holder of [row, ...read.slice(0, -1)]) {
      if (holder !== undefined && holder !== null && !isPlain(holder)) throw needsAccount;
    }
    return settle(row, read);
  };
}

/** Reads the values of a path for all rows of a slice, then checks them. */
function narrowByColumn(node: QuickMatch | QuickWalk, sharesAccount: boolean, check: ColumnCheck): Narrow {
  const names = node.path.map(({ text }) => text);
  const settle = sharesAccount ? settleForNothing(node) : node.settle;
  return (slice, picks, count, wanted) => {
    const columns = names.map(() => takeColumn());
    let length = readFirst(slice, picks, count, names[0] ?? '', columns[0] ?? []);
    for (let at = 1; at < names.length; at += 1) {
      length = readNext(slice, picks, columns[at - 1] ?? [], length, names[at] ?? '', columns[at] ?? []);
    }
    const kept = check(columns[columns.length - 1] ?? [], picks, length, wanted, {
      odd: (at) => {
        const pick = picks[at] ?? 0;
        const read = columns.map((column) => column[at]);
        return ask(slice, pick, () => settle(slice.rows[slice.base + pick], read));
      },
      ask: (at, clause) => ask(slice, picks[at] ?? 0, clause),
      fail: (at, error) => {
        fail(slice, picks[at] ?? 0, error);
      },
    });
    for (const column of columns) giveBack(column);
    return kept;
  };
}

interface Holder {
  readonly [name: string]: unknown;
}

/** Returns how many were read: those before the first that throws. */
function readFirst(slice: Slice, picks: Uint16Array, count: number, name: string, into: unknown[]): number {
  const { rows, base } = slice;
  let at = 0;
  try {
    for (; at < count; at += 1) {
      into[at] = (rows[base + (picks[at] ?? 0)] as Holder | null | undefined)?.[name];
    }
  } catch (error) {
    fail(slice, picks[at] ?? 0, error);
  }
  return at;
}

function readNext(
  slice: Slice,
  picks: Uint16Array,
  holders: readonly unknown[],
  count: number,
  name: string,
  into: unknown[],
): number {
  let at = 0;
  try {
    for (; at < count; at += 1) into[at] = (holders[at] as Holder | null | undefined)?.[name];
  } catch (error) {
    fail(slice, picks[at] ?? 0, error);
  }
  return at;
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
