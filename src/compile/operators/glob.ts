import { compileGlob, parseGlob } from '../../values/glob.js';
import { literalOf } from '../../syntax/ast.js';
import { createPaidTest } from '../fare.js';
import { badGlobDiagnostic } from '../literal-fault.js';
import type { OperatorBehaviour } from './behaviour.js';
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
    return createTextTest(context, createPaidTest(test, weight, context.match, context.compileContext));
  },
  chooseCheck: () => null,
  indexKeys: () => null,
};
