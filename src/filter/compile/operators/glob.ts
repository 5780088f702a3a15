import { compileGlob, parseGlob, type Glob } from '../../../language/values/glob.js';
import { literalOf } from '../../../language/syntax/ast.js';
import { internText } from '../../../language/values/intern.js';
import { createChargedTest, freeTextOf } from '../frame/cost-model.js';
import {
  bothEndsTest,
  prefixTest,
  suffixTest,
  textEquality,
  textTest,
  type QuickCheck,
} from '../quick/check.js';
import { badGlobDiagnostic } from '../../../language/schema/form-diagnostics.js';
import { takesText } from './affix.js';
import type { CheckRequest, OperatorBehaviour } from './behaviour.js';
import { createTextTest } from './text-test.js';

/** `like`. */
export const glob: OperatorBehaviour = {
  createTest(context, _, refuse) {
    const literal = literalOf(context.match);
    const parsed = literal === null ? null : parseGlob(literal.text);
    if (literal === null || parsed === null) {
      return () => refuse(badGlobDiagnostic(literal ?? context.match), 'string');
    }
    if (!literal.wellFormed) return createTextTest(context, () => false);
    const { test, weight } = compileGlob(parsed, literal.ignoreCase);
    return createTextTest(context, createChargedTest(test, weight, context.match, context.compileContext));
  },
  chooseCheck,
  indexKeys: () => null,
};

function chooseCheck({ node, type, isRepeated }: CheckRequest): QuickCheck | null {
  const literal = literalOf(node);
  const parsed = literal === null ? null : parseGlob(literal.text);
  if (literal === null || parsed === null || !takesText(type, literal)) return null;
  const ofEnds = literal.ignoreCase ? null : chooseEnds(parsed);
  if (ofEnds !== null) return ofEnds;
  const { test, weight } = compileGlob(parsed, literal.ignoreCase);
  return isRepeated ? null : { template: textTest, operands: [test, freeTextOf(weight)] };
}

/** Returns the check for globs that test only the start and the end of a string. */
function chooseEnds({ parts: [head, tail, more] }: Glob): QuickCheck | null {
  if (more !== undefined || head === undefined || head.length > 1 || (tail?.length ?? 1) > 1) return null;
  const start = internText(head[0]);
  if (tail === undefined) return { template: textEquality, operands: [start] };
  const end = internText(tail[0]);
  const [first, last] = [start.charCodeAt(0), end.charCodeAt(end.length - 1)];
  if (start === '') return end === '' ? null : { template: suffixTest, operands: [end, last] };
  if (end === '') return { template: prefixTest, operands: [start, first] };
  return { template: bothEndsTest, operands: [start, end, start.length + end.length, first, last] };
}
