import type { Type } from '../../schema/type.js';
import type { MatchExpression, Value } from '../../syntax/ast.js';
import type { Operand } from '../../values/operand.js';
import type { KeyOfLiteral } from '../field-index.js';
import type { CompileContext } from '../compile-context.js';
import type { QuickCheck } from '../quick/check.js';
import type { Refuse, TestContext, ValueTest } from '../test-context.js';

/** What an operator does with rows. Its negation turns the answers round. */
export interface OperatorBehaviour {
  /**
   * The test of values of a type that the operator does not refuse. Null and undefined count as the zero value of the
   * type; a nil of a nullable type never comes here.
   */
  readonly createTest: (context: TestContext, type: Type, refuse: Refuse) => ValueTest;
  /** The check of the commonest kind of its values, null where there is none for the type. */
  readonly chooseCheck: (request: CheckRequest) => QuickCheck | null;
  /** The keys under which an index has the rows where the operator holds; null where the index cannot tell. */
  readonly indexKeys: (request: IndexRequest) => readonly string[] | null;
}

/** A match for which a quick check is wanted. */
export interface CheckRequest {
  readonly node: MatchExpression;
  readonly operand: Operand;
  readonly type: Type;
  readonly compileContext: CompileContext;
  /** Whether one row may be asked many times. A check then has to cost next to nothing. */
  readonly isRepeated: boolean;
}

/** A match of an indexed field with a literal. */
export interface IndexRequest {
  readonly value: Value;
  /** Whether the field is a list, of which each element is a key. */
  readonly isMultiple: boolean;
  readonly keyOf: KeyOfLiteral;
}
