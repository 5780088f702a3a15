import { isPlain } from '../../../language/values/object-class.js';
import type { Predicate } from '../frame/predicate.js';
import { createColumnCheck, type ColumnCheck } from './column-check.js';
import { giveBackColumn, readFirst, readNext, takeColumn } from './column-reader.js';
import { createElementPredicate, createListWalk } from './element-predicate.js';
import type { QuickExpression, QuickMatch, QuickPair, QuickWalk, Settle } from './expression.js';
import { evaluate, fail, giveBackPicks, needsBudget, setAside, takePicks, type Slice } from './slice.js';

/**
 * Of the first `count` selected rows, keeps those for which the clause has the expected result, in order. Returns their number.
 */
export type Narrow = (slice: Slice, selection: Uint16Array, count: number, expected: boolean) => number;

/**
 * Creates the function that narrows a selection by an expression. `sharesBudget`: other clauses of the filter use the same
 * budget.
 */
export function createNarrow(node: QuickExpression, sharesBudget: boolean): Narrow {
  const clause = createClause(node, sharesBudget);
  return (slice, selection, count, expected) =>
    clause(slice, selection, countOpen(slice, selection, count), expected);
}

/** Drops the rows after a failed one and the rows that are evaluated separately. Returns the number of remaining rows. */
function countOpen({ end, failure, alone }: Slice, selection: Uint16Array, count: number): number {
  if (alone !== null) return compact(selection, count, (pick) => pick < end && !alone.has(pick));
  return failure === null ? count : compact(selection, count, (pick) => pick < end);
}

function createClause(node: QuickExpression, sharesBudget: boolean): Narrow {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const operands = node.operands.map((operand) => createNarrow(operand, sharesBudget));
      // `and` is true if all operands are true and false if one is false; `or` is the opposite.
      const all = narrowByAll(operands);
      const some = narrowBySome(operands);
      const isAnd = node.kind === 'and';
      return (slice, selection, count, expected) =>
        (expected === isAnd ? all : some)(slice, selection, count, expected);
    }
    case 'not': {
      const operand = createNarrow(node.operand, sharesBudget);
      return (slice, selection, count, expected) => operand(slice, selection, count, !expected);
    }
    case 'careful':
      return sharesBudget ? leaveAlone : narrowByPredicate(node.test);
    case 'match':
      return narrowByMatch(node, sharesBudget);
    case 'pair':
      return narrowByGuarded(node, sharesBudget);
    case 'any':
    case 'all':
      return narrowByWalk(node, sharesBudget);
  }
}

function narrowByAll(operands: readonly Narrow[]): Narrow {
  return (slice, selection, count, expected) => {
    let left = count;
    for (const operand of operands) left = operand(slice, selection, left, expected);
    return left;
  };
}

/** Creates `or` (or a negated `and`): each operand is evaluated for the rows that the earlier ones have left undecided. */
function narrowBySome(operands: readonly Narrow[]): Narrow {
  return (slice, selection, count, expected) => {
    const isDecided = takePicks().fill(0);
    const open = takePicks();
    const evaluated = takePicks();
    open.set(selection);
    let left = count;
    for (const operand of operands) {
      evaluated.set(open);
      const found = operand(slice, evaluated, left, expected);
      for (let at = 0; at < found; at += 1) isDecided[evaluated[at] ?? 0] = 1;
      left = retainMarked(open, left, isDecided, 0);
    }
    const selected = retainMarked(selection, count, isDecided, 1);
    for (const each of [isDecided, open, evaluated]) giveBackPicks(each);
    return selected;
  };
}

/** Keeps the selected rows with this mark. Returns their number. */
function retainMarked(selection: Uint16Array, count: number, marks: Uint16Array, mark: 0 | 1): number {
  let selected = 0;
  for (let at = 0; at < count; at += 1) {
    const pick = selection[at] ?? 0;
    if (marks[pick] !== mark) continue;
    selection[selected] = pick;
    selected += 1;
  }
  return selected;
}

function narrowByPredicate(test: Predicate): Narrow {
  return (slice, selection, count, expected) => {
    const { rows, base } = slice;
    return compact(
      selection,
      count,
      (pick) => evaluate(slice, pick, () => test(rows[base + pick])) === expected,
    );
  };
}

function compact(selection: Uint16Array, count: number, select: (pick: number) => boolean): number {
  let selected = 0;
  for (let at = 0; at < count; at += 1) {
    const pick = selection[at] ?? 0;
    if (!select(pick)) continue;
    selection[selected] = pick;
    selected += 1;
  }
  return selected;
}

/** Sets all rows aside. Used for an expression that needs the careful closures, in a filter whose clauses share a budget. */
const leaveAlone: Narrow = (slice, selection, count) => {
  for (let at = 0; at < count; at += 1) setAside(slice, selection[at] ?? 0);
  return 0;
};

function narrowByMatch(node: QuickMatch, sharesBudget: boolean): Narrow {
  if (isGuarded(node)) return narrowByGuarded(node, sharesBudget);
  return narrowByColumn(node, sharesBudget, createColumnCheck(node.check, node.isNegated));
}

function narrowByWalk(node: QuickWalk, sharesBudget: boolean): Narrow {
  if (isGuarded(node)) return narrowByGuarded(node, sharesBudget);
  const walk = createListWalk(sharesBudget ? { ...node, body: isNeverEvaluated(node.body) } : node);
  const { maxLength } = node;
  return narrowByColumn(
    node,
    sharesBudget,
    (column, selection, count, expected, { unexpected, fail, evaluate }) => {
      let selected = 0;
      let at = 0;
      // An element for which something must be charged sets its row aside; it does not end the slice.
      const walkWithin = sharesBudget ? (list: readonly unknown[]) => evaluate(at, () => walk(list)) : walk;
      try {
        for (; at < count; at += 1) {
          const list = column[at];
          const matches = Array.isArray(list) && list.length <= maxLength ? walkWithin(list) : unexpected(at);
          if (matches !== expected) continue;
          selection[selected] = selection[at] ?? 0;
          selected += 1;
        }
      } catch (error) {
        fail(at, error);
      }
      return selected;
    },
  );
}

function isGuarded({ path }: QuickMatch | QuickWalk): boolean {
  return path.some(({ guard }) => guard !== null);
}

function narrowByGuarded(node: QuickMatch | QuickPair | QuickWalk, sharesBudget: boolean): Narrow {
  if (!sharesBudget) return narrowByPredicate(createElementPredicate(node));
  return narrowByPredicate(createElementPredicate(isNeverEvaluated(node)));
}

/** Returns an expression that sets a row aside if evaluating it would have to be charged. */
function isNeverEvaluated(node: QuickExpression): QuickExpression {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, operands: node.operands.map(isNeverEvaluated) };
    case 'not':
      return { ...node, operand: isNeverEvaluated(node.operand) };
    case 'careful':
      return node;
    case 'any':
    case 'all':
      return { ...node, settle: settleForNothing(node), body: isNeverEvaluated(node.body) };
    default:
      return { ...node, settle: settleForNothing(node) };
  }
}

/**
 * Returns a `settle` that is never charged: it only handles missing properties of plain objects. For other values it throws,
 * because an open budget is needed.
 */
function settleForNothing({ settle }: QuickMatch | QuickPair | QuickWalk): Settle {
  return (row, read) => {
    const value = read[read.length - 1];
    if (read.length === 0 || (value !== undefined && value !== null)) throw needsBudget;
    for (const parent of [row, ...read.slice(0, -1)]) {
      if (parent !== undefined && parent !== null && !isPlain(parent)) throw needsBudget;
    }
    return settle(row, read);
  };
}

/** Reads the values of a path for all rows of a slice, then checks them. */
function narrowByColumn(node: QuickMatch | QuickWalk, sharesBudget: boolean, check: ColumnCheck): Narrow {
  const names = node.path.map(({ text }) => text);
  const settle = sharesBudget ? settleForNothing(node) : node.settle;
  return (slice, selection, count, expected) => {
    const columns = names.map(() => takeColumn());
    let length = readFirst(slice, selection, count, names[0] ?? '', columns[0] ?? []);
    for (let at = 1; at < names.length; at += 1) {
      length = readNext(slice, selection, columns[at - 1] ?? [], length, names[at] ?? '', columns[at] ?? []);
    }
    const selected = check(columns[columns.length - 1] ?? [], selection, length, expected, {
      unexpected: (at) => {
        const pick = selection[at] ?? 0;
        const read = columns.map((column) => column[at]);
        return evaluate(slice, pick, () => settle(slice.rows[slice.base + pick], read));
      },
      evaluate: (at, clause) => evaluate(slice, selection[at] ?? 0, clause),
      fail: (at, error) => {
        fail(slice, selection[at] ?? 0, error);
      },
    });
    for (const column of columns) giveBackColumn(column);
    return selected;
  };
}
