import { patternDiagnostic } from '../../../language/schema/semantic-diagnostics.js';
import { createChargedMatcher } from '../frame/cost-model.js';
import { prefixTest, textTest, type QuickCheck } from '../quick/check.js';
import { throwMatchError } from '../frame/test-context.js';
import type { CheckRequest, OperatorBehaviour } from './behaviour.js';
import { createTextTest } from './text-test.js';

/** `matches`. */
export const patternMatch: OperatorBehaviour = {
  createTest(context) {
    const { pattern, match, compileContext } = context;
    if (pattern !== null && typeof pattern !== 'string')
      return createTextTest(context, createChargedMatcher(pattern, match, compileContext));
    const diagnostic = patternDiagnostic(match, pattern ?? 'no pattern');
    return createTextTest(context, () => throwMatchError(context, diagnostic, 'string'));
  },
  chooseCheck,
  indexKeys: () => null,
};

/** Matches the most common patterns: those that test the start of a string, with literal characters only. */
const plainPrefix = /^\^([A-Za-z0-9_/:@ -]+)$/;

function chooseCheck({ node, type, compileContext, isRepeated }: CheckRequest): QuickCheck | null {
  if (type.kind !== 'string' && type.kind !== 'any') return null;
  const pattern = compileContext.patterns.compile(node);
  if (typeof pattern === 'string') return null;
  const prefix = plainPrefix.exec(pattern.source)?.[1];
  if (prefix !== undefined) return { template: prefixTest, operands: [prefix, prefix.charCodeAt(0)] };
  return isRepeated ? null : { template: textTest, operands: [pattern.test, pattern.freeLength] };
}
