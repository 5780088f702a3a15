import { FilterLimitError, type LimitErrorCode } from '../../../language/diagnostics/errors.js';
import {
  type CollectionExpression,
  type Expression,
  literalsOf,
  type MatchExpression,
  type Selector,
  type Value,
} from '../../../language/syntax/ast.js';
import { formOf } from '../../../language/operators/operators.js';
import type { Analysis } from '../../../language/schema/analysis.js';
import { foldWeight } from '../../../language/values/case-fold.js';
import { instanceKindOf } from '../../../language/values/instance/index.js';
import type { ChargeFunction } from '../../../language/values/pattern/index.js';
import type { Predicate } from './predicate.js';

/** Maximum cost of a row. */
export interface CostLimits {
  /** Maximum number of comparisons of collection elements plus enumerated keys. */
  readonly maxSteps: number;
  /** Maximum number of characters searched. */
  readonly maxSearchedText: number;
}

/**
 * The budget of the current row. Each filter has one meter, and clauses are charged before they work. If the budget is exceeded,
 * the evaluation of the row ends with an error that names the most expensive clause.
 *
 * Steps and searched characters share one budget: a row that has used half of its steps can search at most half of the
 * characters. This is because each of the two limits alone represents the maximum time for a row.
 *
 * Work of a few microseconds per clause is free: strings of up to 1,000 characters (64 if they are parsed as instances, such as
 * times and addresses) and lists of up to 255 elements. In the body of a collection all work is charged.
 */
export interface Meter extends Budget {
  /**
   * The budget of the clause, if it is the only charged one. The clause opens the budget itself, so that rows that need no
   * charge cost nothing.
   */
  readonly own: Budget;
  /** True if at most one clause may be charged. */
  readonly isLone: boolean;
  readonly chargeOf: (node: ChargedNode) => Charge;
}

/** Opens and closes the budget of a row. The caller that opens it must close it, even after an error. */
export interface Budget {
  /**
   * Opens the budget. Returns the state of the budget that was open before: that of an outer row whose getter evaluates the
   * filter again.
   */
  readonly open: () => ParentBudget | null;
  readonly close: (outer: ParentBudget | null) => void;
}

/** The state of an open budget while the filter evaluates an inner row. */
interface ParentBudget {
  readonly row: number;
  readonly used: Readonly<Record<CostUnit, number>>;
  readonly records: readonly CostRecord[];
}

/** A clause or selector to which costs are attributed. */
type ChargedNode = Pick<MatchExpression | CollectionExpression | Selector, 'span'>;

/** Charges costs to one clause. */
export interface Charge {
  readonly steps: ChargeFunction;
  readonly text: ChargeFunction;
}

type CostUnit = 'steps' | 'text';

/** The charges of a clause for one row. If `row` is an earlier row, the numbers are outdated. */
interface CostRecord {
  readonly node: ChargedNode;
  row: number;
  used: Record<CostUnit, number>;
}

/** Creates a meter. `ast` contains everything that is evaluated for one row. */
export function createMeter(source: string, ast: Expression, analysis: Analysis, limits: CostLimits): Meter {
  const { maxSteps, maxSearchedText } = limits;
  const isLone = countCharges(ast, analysis) <= 1;
  const used: Record<CostUnit, number> = { steps: 0, text: 0 };
  // Most filters are charged nothing, so the map is created with the first record.
  let records: Map<object, CostRecord> | null = null;
  let rows = 0;
  /** Number of the row whose budget is open or was opened last. */
  let row = 0;
  let isOpen = false;

  function open(): ParentBudget | null {
    const outer = isOpen ? { row, used: { ...used }, records: recordsOfRow() } : null;
    isOpen = true;
    rows += 1;
    row = rows;
    used.steps = 0;
    used.text = 0;
    return outer;
  }

  function close(outer: ParentBudget | null): void {
    isOpen = outer !== null;
    if (outer === null) return;
    row = outer.row;
    Object.assign(used, outer.used);
    for (const { node, used: usedByNode } of outer.records)
      Object.assign(recordOf(node), { row, used: usedByNode });
  }

  function recordsOfRow(): CostRecord[] {
    return [...(records?.values() ?? [])]
      .filter((record) => record.row === row)
      .map((record) => ({ ...record, used: { ...record.used } }));
  }

  function recordOf(node: ChargedNode): CostRecord {
    const record = (records ??= new Map()).get(node) ?? { node, row: 0, used: { steps: 0, text: 0 } };
    records.set(node, record);
    return record;
  }

  function charge(record: CostRecord, unit: CostUnit, units: number): void {
    if (record.row !== row) {
      record.row = row;
      record.used.steps = 0;
      record.used.text = 0;
    }
    record.used[unit] += units;
    used[unit] += units;
    const steps = used.steps / maxSteps;
    const text = used.text / maxSearchedText;
    if (steps + text <= 1) return;
    const highest = steps > text ? 'steps' : 'text';
    throw limitExceeded(
      source,
      limits,
      highestRecord(highest) ?? record,
      highest,
      Math.max(steps, text) <= 1,
    );
  }

  function highestRecord(unit: CostUnit): CostRecord | null {
    let highest: CostRecord | null = null;
    for (const record of records?.values() ?? []) {
      if (record.row === row && record.used[unit] > (highest?.used[unit] ?? 0)) highest = record;
    }
    return highest;
  }

  return {
    open,
    close,
    own: isLone ? { open, close } : noBudget,
    isLone,
    chargeOf(node) {
      const record = recordOf(node);
      return {
        steps: (units) => {
          charge(record, 'steps', units);
        },
        text: (units) => {
          charge(record, 'text', units);
        },
      };
    },
  };
}

/** Does nothing; used if the budget is already open, or if nothing is charged. */
export const noBudget: Budget = { open: () => null, close: () => undefined };

/** Returns a predicate that opens a budget for every row, if more than one clause may be charged. */
export function withBudget(predicate: Predicate, meter: Meter): Predicate {
  if (meter.isLone) return predicate;
  const { open, close } = meter;
  return (row) => {
    const outer = open();
    try {
      return predicate(row);
    } finally {
      close(outer);
    }
  };
}

/** Runs `work`, whose costs are charged to a budget. */
export function charge<T>({ open, close }: Budget, work: () => T): T {
  const outer = open();
  try {
    return work();
  } finally {
    close(outer);
  }
}

/**
 * Returns the number of clauses that may be charged, but at most two. `analysis` is null in the body of a collection, because
 * there the walk is charged for parsing instances.
 */
function countCharges(node: Expression, analysis: Analysis | null): number {
  switch (node.kind) {
    case 'and':
    case 'or': {
      let count = 0;
      for (const operand of node.operands) {
        count += countCharges(operand, analysis);
        if (count > 1) break;
      }
      return count;
    }
    case 'not':
      return countCharges(node.operand, analysis);
    case 'match':
      return mayBeCharged(node, analysis) ? 1 : 0;
    default: {
      // The body may be charged for every element. A body without charged clauses can only search long strings, and each string
      // only once.
      const inBody = countCharges(node.body, null);
      return 1 + (inBody > 0 || !comparesLongText(node.body) ? inBody : 1);
    }
  }
}

function mayBeCharged(node: MatchExpression, analysis: Analysis | null): boolean {
  const { operator, aspect, value } = node;
  if (!formOf(operator).operator.isBounded || aspect === 'length' || value?.kind === 'reference') return true;
  return value !== null && analysis !== null && readsInstances(node, analysis);
}

function readsInstances({ selector }: MatchExpression, analysis: Analysis): boolean {
  const { type } = analysis.resolve(selector);
  return type !== null && instanceKindOf(type) !== null;
}

/**
 * Maximum length of a string that is compared without charge although a row may have many, multiplied by the cost per character.
 */
export const longComparison = 128;

/** Cost per character of comparing strings with a literal. */
export function comparisonWeight({ ignoreCase }: Pick<Value, 'ignoreCase'>): number {
  return ignoreCase ? foldWeight : 1;
}

/** Whether a comparison with a literal must be charged, if a row may have many strings. */
export function isLongComparison(literal: Pick<Value, 'text' | 'ignoreCase'>): boolean {
  return literal.text.length * comparisonWeight(literal) > longComparison;
}

function comparesLongText(node: Expression): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.some(comparesLongText);
    case 'not':
      return comparesLongText(node.operand);
    case 'match':
      return literalsOf(node).some(isLongComparison);
    default:
      return comparesLongText(node.body);
  }
}

/** Returns the number of comparisons in a body, excluding nested collections. Long paths and lists count more. */
export function stepsOf(body: Expression): number {
  switch (body.kind) {
    case 'and':
    case 'or':
      return body.operands.reduce((sum, operand) => sum + stepsOf(operand), 0);
    case 'not':
      return stepsOf(body.operand);
    case 'match':
      // An operator that inspects a value first determines its kind, which takes as long as a comparison.
      return (
        stepsOfPath(body.selector) + stepsOfValue(body) + (formOf(body.operator).operator.isBounded ? 0 : 1)
      );
    default:
      return stepsOfPath(body.selector);
  }
}

function stepsOfPath({ path }: Selector): number {
  return 1 + Math.floor(path.length / 8);
}

function stepsOfValue({ value }: MatchExpression): number {
  if (value?.kind === 'list') return Math.floor(value.elements.length / 8);
  return value?.kind === 'reference' ? stepsOfPath(value.selector) : 0;
}

function limitExceeded(
  source: string,
  limits: CostLimits,
  { node }: CostRecord,
  unit: CostUnit,
  isShared: boolean,
): FilterLimitError {
  const text = diagnostics[unit];
  const { maxSteps, maxSearchedText } = limits;
  const limit = unit === 'steps' ? maxSteps : maxSearchedText;
  const exceeded = isShared
    ? `the budget of ${maxSteps} steps and ${maxSearchedText} searched characters`
    : `${limit} ${text.unit}`;
  const diagnostic = {
    code: text.code,
    goMessage: `one row exceeds ${exceeded}, most of them for ${clauseText(source, node)}`,
    span: node.span,
    label: text.label,
    hint: text.hint,
    suggestions: [],
  };
  return new FilterLimitError(source, diagnostic, limit);
}

const diagnostics: Readonly<
  Record<CostUnit, { code: LimitErrorCode; unit: string; label: string; hint: string }>
> = {
  steps: {
    code: 'too-many-steps',
    unit: 'steps',
    label: 'uses most of the steps',
    hint: 'narrow the outer collection first, or test the inner one alone',
  },
  text: {
    code: 'too-much-text',
    unit: 'characters of searching',
    label: 'searches most of the text',
    hint: 'anchor the pattern with ^, or search fewer and shorter texts',
  },
};

/** Maximum length of a clause in a message. */
const maxClauseLength = 80;

function clauseText(source: string, { span }: ChargedNode): string {
  const text = source.slice(span.start, span.end).replace(/\s+/g, ' ');
  return text.length > maxClauseLength ? `${text.slice(0, maxClauseLength)}…` : text;
}
