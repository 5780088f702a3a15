import type { Type } from '../../../language/schema/type.js';
import type { MatchExpression, Value } from '../../../language/syntax/ast.js';
import type { Operand } from '../../../language/values/operand.js';
import type { KeyOfLiteral } from '../frame/field-index.js';
import type { CompileContext } from '../frame/compile-context.js';
import type { KeyRange } from '../frame/key-range.js';
import type { KeyBound } from '../frame/ordered-index.js';
import type { QuickCheck } from '../quick/check.js';
import type { Refuse, TestContext, ValueTest } from '../frame/test-context.js';

/** Evaluates an operator for rows. Its negation inverts the result. */
export interface OperatorBehaviour {
  /**
   * The test of values of a type that the operator does not refuse. Null and undefined count as the zero value of the
   * type; a nil of a nullable type never comes here.
   */
  readonly createTest: (context: TestContext, type: Type, refuse: Refuse) => ValueTest;
  /** The check of the most common kind of its values; null if there is none for the type. */
  readonly chooseCheck: (request: CheckRequest) => QuickCheck | null;
  /** The keys under which an index has the rows for which the operator holds; null if the index cannot determine them. */
  readonly indexKeys: (request: IndexRequest) => readonly string[] | null;
  /**
   * The key ranges of an ordered index that contain the rows for which the operator holds, in any order; null if the index cannot
   * determine them. Omitted if none ever can.
   */
  readonly indexRanges?: (request: RangeRequest) => readonly KeyRange[] | null;
}

/** A match for which a quick check is wanted. */
export interface CheckRequest {
  readonly node: MatchExpression;
  readonly operand: Operand;
  readonly type: Type;
  readonly compileContext: CompileContext;
  /** Whether the check may run many times per row. It then must cost next to nothing. */
  readonly isRepeated: boolean;
}

/** A match of an indexed field with a literal. */
export interface IndexRequest {
  /** One, or those of a list. */
  readonly literals: readonly Value[];
  /** Whether the field is a list, of which each element is a key. */
  readonly isMultiple: boolean;
  readonly keyOf: KeyOfLiteral;
}

/** A match of a field with an ordered index with a literal, or with a list of them. */
export interface RangeRequest {
  readonly literals: readonly Value[];
  /** Whether the keys are the strings of rows. */
  readonly isText: boolean;
  /** Undefined for a literal that no key can be compared with, null if the index cannot determine it. */
  readonly boundOf: (literal: Value) => KeyBound | undefined | null;
}
