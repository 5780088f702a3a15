import type { Type } from '../../../language/schema/type.js';
import type { MatchExpression, Value } from '../../../language/syntax/ast.js';
import type { Operand } from '../../../language/values/operand.js';
import type { KeyOfLiteral } from '../frame/field-index.js';
import type { CompileContext } from '../frame/compile-context.js';
import type { KeyRange } from '../frame/key-range.js';
import type { KeyBound } from '../frame/ordered-index.js';
import type { QuickCheck } from '../quick/check.js';
import type { Refuse, TestContext, ValueTest } from '../frame/test-context.js';

/** Evaluates an operator. The negated operator inverts the result. */
export interface OperatorBehaviour {
  /**
   * Creates the test for values of a type that the operator accepts. Null and undefined count as the zero value. A nil value of a
   * nullable type never reaches the test.
   */
  readonly createTest: (context: TestContext, type: Type, refuse: Refuse) => ValueTest;
  /** Returns a quick check for the most common kind of values; null if none exists for the type. */
  readonly chooseCheck: (request: CheckRequest) => QuickCheck | null;
  /** Returns the index keys of the rows that match; null if the index cannot determine them. */
  readonly indexKeys: (request: IndexRequest) => readonly string[] | null;
  /**
   * Returns the key ranges of an ordered index that contain the matching rows, in any order; null if the index cannot determine
   * them. Omitted if no index can.
   */
  readonly indexRanges?: (request: RangeRequest) => readonly KeyRange[] | null;
}

/** A match for which a quick check is requested. */
export interface CheckRequest {
  readonly node: MatchExpression;
  readonly operand: Operand;
  readonly type: Type;
  readonly compileContext: CompileContext;
  /** Whether the check may run many times per row, so that it must be cheap. */
  readonly isRepeated: boolean;
}

/** A match of an indexed field with a literal. */
export interface IndexRequest {
  /** One literal, or those of a list. */
  readonly literals: readonly Value[];
  /** Whether the field is a list in which each element is a key. */
  readonly isMultiple: boolean;
  readonly keyOf: KeyOfLiteral;
}

/** A match of an ordered field with a literal or a list of literals. */
export interface RangeRequest {
  readonly literals: readonly Value[];
  /** Whether the keys are the strings of rows. */
  readonly isText: boolean;
  /** Returns the position of a literal; undefined if no key can be compared with it, null if the index cannot determine it. */
  readonly boundOf: (literal: Value) => KeyBound | undefined | null;
}
