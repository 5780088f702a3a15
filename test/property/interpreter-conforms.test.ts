import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FilterSyntaxError, parse } from '../../src/index.js';
import { createEvaluationJudge, type Evaluate } from '../conformance/judge.js';
import { count, showDisagreement } from '../conformance/tally.js';
import { readVectors } from '../conformance/vector.js';
import { interpret } from '../support/interpreter.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'conformance', 'vectors');
const vectors = readVectors(folder, folder);

/** The plain interpreter in the engine's place. */
const evaluate: Evaluate = (vector, row) => {
  let ast;
  try {
    ast = parse(vector.expr, { dialect: 'go-bexpr' }).ast;
  } catch (error) {
    if (error instanceof FilterSyntaxError) return { ok: false, stage: 'parse' };
    throw error;
  }
  const answer = interpret(ast, row, {
    ...(vector.type === undefined ? {} : { schema: { root: vector.type, structs: vectors.structs } }),
    ...('unknown' in vector ? { unknownValue: vector.unknown } : {}),
  });
  if (typeof answer === 'boolean') return { ok: true, result: answer };
  // As the engine, it reads untyped numbers with ParseFloat where go-bexpr used ParseInt.
  return { ok: false, stage: 'eval', class: answer, error: 'ParseFloat' };
};

// What the engine is compared with in the other properties must itself do what go-bexpr does.
describe('the plain interpreter agrees with go-bexpr', () => {
  it.each(['untyped', 'typed'] as const)('%s vectors', (section) => {
    const { passed, disagreements } = count(vectors[section], createEvaluationJudge(vectors, evaluate));
    expect(disagreements.slice(0, 20).map(showDisagreement)).toEqual([]);
    expect(passed).toBeGreaterThan(1_800);
  });
});
