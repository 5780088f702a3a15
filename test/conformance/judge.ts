import { isDeepStrictEqual } from 'node:util';
import {
  compileFilter,
  FilterEvaluationError,
  FilterSyntaxError,
  parse,
  parseSchema,
  type Schema,
} from '../../src/index.js';
import { readDatum } from './datum.js';
import { skipList } from './skip-list.js';
import { toVectorTree } from './tree.js';
import type { EvaluationAnswer, EvaluationVector, ParseAnswer, ParseVector, Vectors } from './vector.js';

/** Our own limits are no part of the language. */
const noLimits = {
  maxLength: Infinity,
  maxDepth: Infinity,
  maxTerms: Infinity,
  maxPatternLength: Infinity,
  maxPatternSize: Infinity,
};

export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly expected: string; readonly got: string };

const passed: Verdict = { kind: 'passed' };

/** Whether we parse a vector as go-bexpr does: the same tree, or a refusal. */
export function judgeParse(vector: ParseVector): Verdict {
  const reason = skipList.get(vector.id);
  if (reason !== undefined) return { kind: 'skipped', reason };
  const isLimited = vector.class === 'limit';
  // A vector past the real parser's step limit, whose own answer is not known, is an expression all the same.
  const expected: ParseAnswer = isLimited ? (vector.unlimited ?? { ok: true }) : vector;
  const got = parseAnswer(vector.expr);
  const agrees =
    expected.ok === got.ok && (expected.ast === undefined || isDeepStrictEqual(got.ast, expected.ast));
  return agrees ? passed : { kind: 'failed', expected: showParse(expected), got: showParse(got) };
}

function parseAnswer(expression: string): ParseAnswer {
  try {
    return { ok: true, ast: toVectorTree(parse(expression, { dialect: 'go-bexpr', limits: noLimits }).ast) };
  } catch (error) {
    return {
      ok: false,
      class: error instanceof FilterSyntaxError ? error.code : `escaped: ${String(error)}`,
    };
  }
}

function showParse({ ok, ast, class: code }: ParseAnswer): string {
  return ok ? (ast === undefined ? 'a tree' : JSON.stringify(ast)) : `a syntax error (${code ?? ''})`;
}

/** Evaluates one vector on one row. An answer without a stage is an error that should not have escaped. */
export type Evaluate = (vector: EvaluationVector, row: unknown) => EvaluationAnswer;

/** The engine. Schemas are read once. */
export function createEngine({ structs }: Vectors): Evaluate {
  const schemas = new Map<string, Schema>();
  const schemaOf = (root: string): Schema => {
    const schema = schemas.get(root) ?? parseSchema({ root, structs });
    schemas.set(root, schema);
    return schema;
  };
  return (vector, row) => {
    try {
      const filter = compileFilter(vector.expr, {
        dialect: 'go-bexpr',
        check: false,
        limits: noLimits,
        ...(vector.type === undefined ? {} : { schema: schemaOf(vector.type) }),
        ...('unknown' in vector ? { unknownValue: vector.unknown } : {}),
      });
      return { ok: true, result: filter.test(row) };
    } catch (error) {
      if (error instanceof FilterSyntaxError) return { ok: false, stage: 'parse', class: error.code };
      if (error instanceof FilterEvaluationError) {
        return { ok: false, stage: 'eval', class: error.code, error: error.message };
      }
      return { ok: false, class: `escaped: ${String(error)}` };
    }
  };
}

/** Judges evaluation vectors by what `evaluate` makes of them. Each datum is read once. */
export function createEvaluationJudge(
  { datums, structs }: Vectors,
  evaluate: Evaluate,
): (vector: EvaluationVector) => Verdict {
  const rows = new Map<string, unknown>();
  const rowOf = ({ datum: id, type }: EvaluationVector): unknown => {
    const key = `${type ?? ''} ${id}`;
    if (rows.has(key)) return rows.get(key);
    const datum = datums.get(id);
    if (datum === undefined) throw new Error(`there is no datum ${id}`);
    const row = readDatum(datum, type, structs);
    rows.set(key, row);
    return row;
  };
  return (vector) => {
    const reason = skipList.get(vector.id);
    if (reason !== undefined) return { kind: 'skipped', reason };
    const expected: EvaluationAnswer = vector.asFloat64 ?? vector;
    if (expected.stage === 'decode' || expected.class === 'json-number') {
      return { kind: 'skipped', reason: 'the datum holds a number that does not exist in JavaScript' };
    }
    let got: EvaluationAnswer;
    try {
      got = evaluate(vector, rowOf(vector));
    } catch (error) {
      return { kind: 'failed', expected: showEvaluation(expected), got: String(error) };
    }
    if (sameAnswer(expected, got, isFloatForInteger(vector, got))) return passed;
    return { kind: 'failed', expected: showEvaluation(expected), got: showEvaluation(got) };
  };
}

/**
 * Whether our number is a float64 where the vector's is an integer, so that an operand may be refused for another
 * reason. So it may be in all untyped data, and in the untyped places of typed data.
 */
function isFloatForInteger(vector: EvaluationVector, got: EvaluationAnswer): boolean {
  if (vector.type === undefined) return true;
  return vector.error?.includes('ParseInt') === true && got.error?.includes('ParseFloat') === true;
}

function sameAnswer(expected: EvaluationAnswer, got: EvaluationAnswer, anyCoercion: boolean): boolean {
  if (expected.ok || got.ok) return expected.ok === got.ok && expected.result === got.result;
  if (expected.stage !== got.stage) return false;
  if (expected.stage === 'parse' || expected.class === 'panic') return true;
  return comparableClass(expected.class, anyCoercion) === comparableClass(got.class, anyCoercion);
}

/** A hidden field must look like a missing one, so that the two classes are one. */
function comparableClass(code: string | undefined, anyCoercion: boolean): string | undefined {
  if (code === 'find-hidden-field') return 'find-no-field';
  return anyCoercion && code?.startsWith('coerce-') === true ? 'coerce' : code;
}

function showEvaluation({ ok, result, stage, class: code }: EvaluationAnswer): string {
  if (ok) return String(result);
  return stage === undefined
    ? (code ?? '')
    : `${stage === 'parse' ? 'a syntax' : 'an evaluation'} error (${code ?? ''})`;
}
