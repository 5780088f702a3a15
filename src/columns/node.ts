import type { FilterParts } from '../filter.js';
import type { Expression } from '../syntax/ast.js';
import type { PageBits } from '../table/page-bits.js';
import type { RowPage } from '../table/sorted-rows.js';
import type { Codes, SharedBits } from './codes.js';
import type { CodeColumn } from './column.js';
import { findBound, type NumberColumn, type Numbers } from './numbers.js';
import { isOrderingOfNumbers, readingOf, type FieldReading } from './reading.js';

/** A part of a clause, as columns answer it: by the codes of one column, by numbers, or put together of such parts. */
export type QuestionNode =
  | {
      readonly kind: 'codes';
      readonly column: CodeColumn;
      readonly table: CodeTable;
      /** The same part put otherwise, for a column that has become too wide for codes; null where there is no other way. */
      readonly inner: QuestionNode | null;
    }
  | { readonly kind: 'numbers'; readonly column: NumberColumn; readonly bound: NumberBound }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly QuestionNode[] }
  | { readonly kind: 'not'; readonly operand: QuestionNode };

/** Where the columns are. */
export interface Columns {
  readonly codes: (reading: FieldReading) => CodeColumn;
  readonly numbers: (reading: FieldReading, kind: 'int' | 'float') => NumberColumn;
}

/** Whatever gives an answer or fails. */
type Test = (row: unknown) => boolean;

/** Codes whose answers one word of bits holds. */
const wordLength = 32;

/**
 * What an expression says of each value of a column, by the code of the value: the engine is asked once for each. There is no
 * value with code 0, so that counting begins with 1.
 */
export class CodeTable {
  /** 1 for those that satisfy it, 0 for the others. */
  table: Uint8Array = new Uint8Array(16);
  /** 1 for those for which it fails; null where it fails for none. */
  unsure: Uint8Array | null = null;
  /** The first code that it has not been asked about. */
  known = 1;
  /** When it was last used, by the count that its keeper has. */
  used = 0;
  /** The codes below {@link wordLength} that satisfy it, as bits, and those for which it fails. */
  yes = 0;
  failing = 0;
  /** How many codes satisfy it or fail. */
  found = 0;
  #forgotten = 0;

  constructor(readonly test: Test) {}

  /** How many values it has not been asked about. */
  missing(column: CodeColumn): number {
    if (this.#forgotten !== column.forgotten) this.#begin(column);
    return column.values.length - this.known;
  }

  #begin(column: CodeColumn): void {
    this.#forgotten = column.forgotten;
    this.clear();
  }

  get bytes(): number {
    return this.table.length * (this.unsure === null ? 1 : 2);
  }

  /** Forgets what it has been told. */
  clear(): void {
    this.table = new Uint8Array(16);
    this.unsure = null;
    this.known = 1;
    this.yes = this.failing = this.found = 0;
  }

  /** Asks about some more. */
  fill(column: CodeColumn, most: number): void {
    const { values } = column;
    const end = Math.min(values.length, this.known + most);
    if (this.table.length < end) this.table = grown(this.table, values.length);
    if (this.unsure !== null && this.unsure.length < this.table.length) {
      this.unsure = grown(this.unsure, this.table.length);
    }
    for (; this.known < end; this.known += 1) {
      const code = this.known;
      try {
        if (!this.test(column.sample(values[code]))) continue;
        this.table[code] = 1;
        if (code < wordLength) this.yes |= 1 << code;
      } catch {
        this.unsure ??= new Uint8Array(this.table.length);
        this.unsure[code] = 1;
        if (code < wordLength) this.failing |= 1 << code;
      }
      this.found += 1;
    }
  }
}

function grown(table: Uint8Array, length: number): Uint8Array {
  const longer = new Uint8Array(Math.max(length, table.length * 2));
  longer.set(table);
  return longer;
}

/** Where an ordering of numbers turns. It is asked at both ends of each page first. */
class NumberBound {
  #turn: { readonly at: number; readonly isFrom: boolean } | null = null;
  constructor(readonly test: Test) {}

  /** Writes the bits of a page; false where it fails. */
  find(column: NumberColumn, page: Numbers, out: PageBits): boolean {
    // No row of the page has a number.
    if (page.least > page.greatest) {
      out.fill(0);
      return true;
    }
    try {
      const [first, last] = [this.#ask(column, page.least), this.#ask(column, page.greatest)];
      if (first === last) {
        out.fill(first ? -1 : 0);
        return true;
      }
      this.#turn ??= this.#findTurn(column, page, last);
    } catch {
      return false;
    }
    page.find(this.#turn.at, this.#turn.isFrom, out);
    return true;
  }

  /** How many rows of a page; null where it fails. */
  count(column: NumberColumn, page: Numbers, rows: RowPage<unknown>, size: number): number | null {
    if (page.least > page.greatest) return 0;
    try {
      const [first, last] = [this.#ask(column, page.least), this.#ask(column, page.greatest)];
      if (first === last) return first ? size : 0;
      this.#turn ??= this.#findTurn(column, page, last);
    } catch {
      return null;
    }
    const from = page.countFrom(this.#turn.at, rows);
    return this.#turn.isFrom ? from : size - from;
  }

  #ask(column: NumberColumn, value: number): boolean {
    return this.test(column.sample(value));
  }

  #findTurn(column: NumberColumn, { least, greatest }: Numbers, isFrom: boolean) {
    const ask = (value: number): boolean => this.#ask(column, value);
    return { at: findBound(ask, least, greatest, column.isWhole), isFrom };
  }
}

/** What columns can answer of an expression; null where they cannot. */
export function nodeOf(ast: Expression, parts: FilterParts, columns: Columns): QuestionNode | null {
  const reading = readingOf(ast, parts.analysis);
  if (reading !== null) {
    const test = parts.test(ast);
    const numbers = ast.kind === 'match' ? isOrderingOfNumbers(ast, parts.analysis) : null;
    const inner: QuestionNode | null =
      numbers === null
        ? null
        : { kind: 'numbers', column: columns.numbers(reading, numbers), bound: new NumberBound(test) };
    return { kind: 'codes', column: columns.codes(reading), table: new CodeTable(test), inner };
  }
  if (ast.kind === 'not') {
    const operand = nodeOf(ast.operand, parts, columns);
    if (operand === null) return null;
    return joined(ast, parts, [operand], { kind: 'not', operand });
  }
  if (ast.kind !== 'and' && ast.kind !== 'or') return null;
  const operands: QuestionNode[] = [];
  for (const each of ast.operands) {
    const operand = nodeOf(each, parts, columns);
    if (operand === null) return null;
    operands.push(operand);
  }
  return joined(ast, parts, operands, { kind: ast.kind, operands });
}

/** What is about one column alone is asked as one. */
function joined(
  ast: Expression,
  parts: FilterParts,
  operands: readonly QuestionNode[],
  inner: QuestionNode,
): QuestionNode {
  const [first] = operands;
  if (first?.kind !== 'codes') return inner;
  const { column } = first;
  if (!operands.every((each) => each.kind === 'codes' && each.column === column)) return inner;
  return { kind: 'codes', column, table: new CodeTable(parts.test(ast)), inner };
}

/** A part that asks of one column. */
export type QuestionLeaf = Extract<QuestionNode, { readonly column: object }>;

/** Gives all parts of a node that ask of a column, as the columns are at the moment. */
export function keepLeaves(node: QuestionNode | null): () => readonly QuestionLeaf[] {
  let leaves: readonly QuestionLeaf[] | null = null;
  return () => {
    // What has become too wide for codes stays so.
    if (leaves?.some(isPutOtherwise) === false) return leaves;
    return (leaves = node === null ? [] : leavesOf(node));
  };
}

function isPutOtherwise(node: QuestionLeaf): boolean {
  return node.kind === 'codes' && node.inner !== null && node.column.isWide;
}

function leavesOf(node: QuestionNode): readonly QuestionLeaf[] {
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
export interface PageColumns {
  readonly codesOf: (column: CodeColumn) => Codes | undefined;
  readonly numbers: ReadonlyMap<NumberColumn, Numbers>;
  /** The places that have a row. */
  readonly rows: PageBits;
}

/** The same, with the rows. */
interface CountedPage extends PageColumns {
  readonly page: RowPage<unknown>;
  readonly size: number;
}

/**
 * Writes the bits of the rows for which a node holds into `out`, and adds those for which that is not known to `unsure`. Places
 * without a row may have any. False where columns are missing.
 */
export function evaluate(
  node: QuestionNode,
  page: PageColumns,
  out: PageBits,
  unsure: Unsure,
  spare: Spare,
): boolean {
  switch (node.kind) {
    case 'codes':
      if (node.column.isWide && node.inner !== null) return evaluate(node.inner, page, out, unsure, spare);
      return findCodes(node.column, node.table, page.codesOf(node.column), out, unsure, spare);
    case 'numbers': {
      const numbers = page.numbers.get(node.column);
      if (numbers === undefined || !node.bound.find(node.column, numbers, out)) return false;
      unsure.add(numbers.unsure);
      return true;
    }
    case 'not':
      if (!evaluate(node.operand, page, out, unsure, spare)) return false;
      for (let word = 0; word < out.length; word += 1) out[word] = ~(out[word] as number); // word < out.length
      return true;
    default: {
      const [first, ...others] = node.operands;
      if (first === undefined || !evaluate(first, page, out, unsure, spare)) return false;
      const each = spare.take(out.length);
      for (const operand of others) {
        if (!evaluate(operand, page, each, unsure, spare)) return false;
        for (let word = 0; word < out.length; word += 1) {
          const [a, b] = [out[word] as number, each[word] as number]; // of one length
          out[word] = node.kind === 'and' ? a & b : a | b;
        }
      }
      spare.give(each);
      return true;
    }
  }
}

/** How many rows of a page a node holds for, where that is told without their bits; null where it is not. */
export function countNode(node: QuestionNode, data: CountedPage): number | null {
  if (node.kind === 'codes' && node.column.isWide && node.inner !== null) return countNode(node.inner, data);
  if (node.kind === 'codes') {
    const { column, table } = node;
    const codes = data.codesOf(column);
    if (codes === undefined || codes.unsure !== null || table.missing(column) > 0 || table.unsure !== null)
      return null;
    return table.found === 0 ? 0 : codes.count(table.table, table.yes);
  }
  if (node.kind !== 'numbers') return null;
  const numbers = data.numbers.get(node.column);
  if (numbers === undefined || numbers.unsure !== null) return null;
  return node.bound.count(node.column, numbers, data.page, data.size);
}

/** The rows for which a part holds, and those for which that is not known. */
export interface FoundBits extends SharedBits {
  readonly unsure: PageBits | null;
}

/** The rows for which a node holds, where these bits are there already; null where they have to be written. */
export function findPlane(node: QuestionNode, data: PageColumns): FoundBits | null {
  if (node.kind !== 'codes') return null;
  const { column, table } = node;
  const codes = data.codesOf(column);
  if (codes === undefined || table.missing(column) > 0 || table.unsure !== null) return null;
  if (codes.zone !== null && (codes.zone & ~table.yes) === 0)
    return { bits: data.rows, flip: 0, unsure: codes.unsure };
  const plane = codes.planeAmong(table.yes);
  return plane === null ? null : { ...plane, unsure: codes.unsure };
}

/** Whether it takes no bits to tell that a node holds for no row of a page. */
export function isNowhere(node: QuestionNode, data: PageColumns): boolean {
  if (node.kind !== 'codes') return false;
  const { column, table } = node;
  const codes = data.codesOf(column);
  if (codes === undefined || codes.unsure !== null || table.missing(column) > 0) return false;
  if (table.found === 0) return true;
  return codes.zone !== null && table.unsure === null && (codes.zone & table.yes) === 0;
}

function findCodes(
  column: CodeColumn,
  table: CodeTable,
  codes: Codes | undefined,
  out: PageBits,
  unsure: Unsure,
  spare: Spare,
): boolean {
  if (codes === undefined || table.missing(column) > 0) return false;
  unsure.add(codes.unsure);
  codes.find(table.table, table.yes, out);
  if (table.unsure !== null) {
    const failing = spare.take(out.length);
    codes.find(table.unsure, table.failing, failing);
    unsure.add(failing);
    spare.give(failing);
  }
  return true;
}

/** The rows for which nothing is known. */
export class Unsure {
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
      own[word] = (own[word] as number) | (bits[word] as number); // of one length
  }

  get bits(): PageBits | null {
    return this.#isEmpty ? null : this.#bits;
  }
}

/** Bits that are used again. */
export class Spare {
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
