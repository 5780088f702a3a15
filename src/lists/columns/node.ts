import type { FilterParts } from '../../filter/filter.js';
import type { Expression } from '../../language/syntax/ast.js';
import type { PageBits } from '../table/page-bits.js';
import type { RowPage } from '../table/sorted-rows.js';
import type { Codes, SharedBits } from './codes.js';
import type { CodeColumn } from './column.js';
import type { NumberColumn, Numbers } from './numbers.js';
import { isOrderingOfNumbers, accessOf, type FieldAccess } from './value-access.js';
import { CodeTable, NumberBound } from './value-results.js';

export type AnyColumn = CodeColumn | NumberColumn;

/** The data of a column for a page. */
export type PageColumn<C extends AnyColumn> = C extends CodeColumn ? Codes : Numbers;

/** A part of a clause that columns can evaluate: by the codes of one column, by numbers, or by combining other parts. */
export type PlanNode =
  | {
      readonly kind: 'codes';
      readonly column: CodeColumn;
      readonly table: CodeTable;
      /** The form to use instead if the column has too many distinct values for codes; null if none exists. */
      readonly inner: PlanNode | null;
    }
  | { readonly kind: 'numbers'; readonly column: NumberColumn; readonly bound: NumberBound }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly PlanNode[] }
  | { readonly kind: 'not'; readonly operand: PlanNode };

/** Looks up columns. */
export interface Columns {
  readonly codes: (access: FieldAccess) => CodeColumn;
  readonly numbers: (access: FieldAccess, kind: 'int' | 'float') => NumberColumn;
}

/** Returns the plan by which columns evaluate an expression; null if they cannot. */
export function nodeOf(ast: Expression, parts: FilterParts, columns: Columns): PlanNode | null {
  const access = accessOf(ast, parts.analysis);
  if (access !== null) {
    const test = parts.test(ast);
    const numbers = ast.kind === 'match' ? isOrderingOfNumbers(ast, parts.analysis) : null;
    const inner: PlanNode | null =
      numbers === null
        ? null
        : { kind: 'numbers', column: columns.numbers(access, numbers), bound: new NumberBound(test) };
    return { kind: 'codes', column: columns.codes(access), table: new CodeTable(test), inner };
  }
  if (ast.kind === 'not') {
    const operand = nodeOf(ast.operand, parts, columns);
    if (operand === null) return null;
    return joined(ast, parts, [operand], { kind: 'not', operand });
  }
  if (ast.kind !== 'and' && ast.kind !== 'or') return null;
  const operands: PlanNode[] = [];
  for (const each of ast.operands) {
    const operand = nodeOf(each, parts, columns);
    if (operand === null) return null;
    operands.push(operand);
  }
  return joined(ast, parts, operands, { kind: ast.kind, operands });
}

/** Returns the node of combined parts: one of codes if all of them are codes of the same column, otherwise `inner`. */
function joined(
  ast: Expression,
  parts: FilterParts,
  operands: readonly PlanNode[],
  inner: PlanNode,
): PlanNode {
  const [first] = operands;
  if (first?.kind !== 'codes') return inner;
  const { column } = first;
  if (!operands.every((each) => each.kind === 'codes' && each.column === column)) return inner;
  return { kind: 'codes', column, table: new CodeTable(parts.test(ast)), inner };
}

/** A part that uses one column. */
export type PlanLeaf = Extract<PlanNode, { readonly column: object }>;

/** Returns a cached function that returns all parts of a node that currently use a column. */
export function lazyLeaves(node: PlanNode | null): () => readonly PlanLeaf[] {
  let leaves: readonly PlanLeaf[] | null = null;
  return () => {
    // Once a column is too wide for codes, it stays too wide.
    if (leaves?.some(isPutOtherwise) === false) return leaves;
    return (leaves = node === null ? [] : leavesOf(node));
  };
}

function isPutOtherwise(node: PlanLeaf): boolean {
  return node.kind === 'codes' && node.inner !== null && node.column.isWide;
}

function leavesOf(node: PlanNode): readonly PlanLeaf[] {
  switch (node.kind) {
    case 'codes':
      return node.inner !== null && node.column.isWide ? leavesOf(node.inner) : [node];
    case 'numbers':
      return [node];
    case 'not':
      return leavesOf(node.operand);
    default:
      return node.operands.flatMap(leavesOf);
  }
}

/** The columns of a page. */
interface PageColumns {
  of<C extends AnyColumn>(column: C): PageColumn<C> | undefined;
  /** Bits of all positions that have a row, and the number of rows. */
  readonly rows: PageBits;
  readonly size: number;
  readonly page: RowPage<unknown>;
}

/**
 * Writes the bits of the rows that satisfy a node into `out`, and adds undecided rows to `unsure`. Positions without a row may
 * have any bit. Returns false if a column has not been read.
 */
export function evaluate(
  node: PlanNode,
  page: PageColumns,
  out: PageBits,
  uncertain: UncertainRows,
  scratch: ScratchBuffers,
): boolean {
  switch (node.kind) {
    case 'codes':
      if (node.column.isWide && node.inner !== null)
        return evaluate(node.inner, page, out, uncertain, scratch);
      return findCodes(node.column, node.table, page.of(node.column), out, uncertain, scratch);
    case 'numbers': {
      const numbers = page.of(node.column);
      if (numbers === undefined || !node.bound.find(node.column, numbers, out)) return false;
      uncertain.add(numbers.uncertain);
      return true;
    }
    case 'not':
      if (!evaluate(node.operand, page, out, uncertain, scratch)) return false;
      for (let word = 0; word < out.length; word += 1) out[word] = ~(out[word] as number); // `word` is below `out.length`
      return true;
    default: {
      const [first, ...others] = node.operands;
      if (first === undefined || !evaluate(first, page, out, uncertain, scratch)) return false;
      const each = scratch.take(out.length);
      for (const operand of others) {
        if (!evaluate(operand, page, each, uncertain, scratch)) return false;
        for (let word = 0; word < out.length; word += 1) {
          const [a, b] = [out[word] as number, each[word] as number]; // All arrays have the same length
          out[word] = node.kind === 'and' ? a & b : a | b;
        }
      }
      scratch.give(each);
      return true;
    }
  }
}

/** Returns how many rows of a page satisfy a node, if that is known without their bits; else null. */
export function countNode(node: PlanNode, data: PageColumns): number | null {
  if (node.kind === 'codes' && node.column.isWide && node.inner !== null) return countNode(node.inner, data);
  if (node.kind === 'codes') {
    const { column, table } = node;
    const codes = data.of(column);
    if (
      codes === undefined ||
      codes.uncertain !== null ||
      table.missing(column) > 0 ||
      table.uncertain !== null
    )
      return null;
    return table.found === 0 ? 0 : codes.count(table.table, table.yes);
  }
  if (node.kind !== 'numbers') return null;
  const numbers = data.of(node.column);
  if (numbers === undefined || numbers.uncertain !== null) return null;
  return node.bound.count(node.column, numbers, data.page, data.size);
}

/** Bits of the rows that satisfy a part, and bits of the undecided rows. */
export interface FoundBits extends SharedBits {
  readonly uncertain: PageBits | null;
}

/** Returns the rows that satisfy a node if their bits exist already; null if they must be computed. */
export function findPlane(node: PlanNode, data: PageColumns): FoundBits | null {
  if (node.kind !== 'codes') return null;
  const { column, table } = node;
  const codes = data.of(column);
  if (codes === undefined || table.missing(column) > 0 || table.uncertain !== null) return null;
  if (codes.zone !== null && (codes.zone & ~table.yes) === 0)
    return { bits: data.rows, flip: 0, uncertain: codes.uncertain };
  const plane = codes.planeAmong(table.yes);
  return plane === null ? null : { bits: plane.bits, flip: plane.flip, uncertain: codes.uncertain };
}

/** Whether it is known without bits that no row of a page satisfies a node. */
export function isNowhere(node: PlanNode, data: PageColumns): boolean {
  if (node.kind !== 'codes') return false;
  const { column, table } = node;
  const codes = data.of(column);
  if (codes === undefined || codes.uncertain !== null || table.missing(column) > 0) return false;
  if (table.found === 0) return true;
  return codes.zone !== null && table.uncertain === null && (codes.zone & table.yes) === 0;
}

function findCodes(
  column: CodeColumn,
  table: CodeTable,
  codes: Codes | undefined,
  out: PageBits,
  uncertain: UncertainRows,
  scratch: ScratchBuffers,
): boolean {
  if (codes === undefined || table.missing(column) > 0) return false;
  uncertain.add(codes.uncertain);
  codes.find(table.table, table.yes, out);
  if (table.uncertain !== null) {
    const failing = scratch.take(out.length);
    codes.find(table.uncertain, table.failing, failing);
    uncertain.add(failing);
    scratch.give(failing);
  }
  return true;
}

/** Collects the undecided rows. */
export class UncertainRows {
  #bits: PageBits | null = null;
  #isEmpty = true;

  add(bits: PageBits | null): void {
    if (bits === null) return;
    if (this.#isEmpty) {
      this.#bits = bits.slice();
      this.#isEmpty = false;
      return;
    }
    const own = this.#bits ?? bits;
    for (let word = 0; word < bits.length; word += 1)
      own[word] = (own[word] as number) | (bits[word] as number); // Both have the same length
  }

  get bits(): PageBits | null {
    return this.#isEmpty ? null : this.#bits;
  }
}

/** Reusable bit buffers. */
export class ScratchBuffers {
  readonly #free = new Map<number, PageBits[]>();

  take(length: number): PageBits {
    return this.#free.get(length)?.pop() ?? new Int32Array(length);
  }

  give(bits: PageBits): void {
    const known = this.#free.get(bits.length);
    if (known === undefined) this.#free.set(bits.length, [bits]);
    else if (known.length < 8) known.push(bits);
  }
}
