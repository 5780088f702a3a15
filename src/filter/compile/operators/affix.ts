import { literalOf, type Value } from '../../../language/syntax/ast.js';
import { foldText, foldWeight, hasFoldedAt } from '../../../language/values/case-fold.js';
import type { Type } from '../../../language/schema/type.js';
import { valueKindOf } from '../../../language/schema/value-kind.js';
import { beginsWith, endsIn } from '../../../language/values/pattern/text-search.js';
import { internText } from '../../../language/values/intern.js';
import { chargeComparison } from '../frame/cost-model.js';
import { prefixTest, suffixTest, textTest, type QuickTemplate } from '../quick/check.js';
import { textAfter } from '../../../language/values/utf8-order.js';
import type { KeyRange } from '../frame/key-range.js';
import type { OperatorBehaviour, RangeRequest } from './behaviour.js';
import { createTextTest } from './text-test.js';

/** The operator `starts with`. */
export const prefix: OperatorBehaviour = {
  ...affix({
    template: prefixTest,
    unit: (word) => word.charCodeAt(0),
    plain: beginsWith,
    folded: (text, word) => text.length >= word.length && hasFoldedAt(text, word, 0),
  }),
  indexRanges: prefixRange,
};

/** Returns the range of strings that begin with a word, which are contiguous in order. */
function prefixRange({ literals: [literal], isText, boundOf }: RangeRequest): readonly KeyRange[] | null {
  const bound = literal === undefined || !isText ? null : boundOf(literal);
  if (bound === null) return null;
  if (bound === undefined) return [];
  const word = bound.key as string;
  return [{ from: word, to: textAfter(word), fromInclusive: true, toInclusive: false }];
}

/** `ends with`. */
export const suffix = affix({
  template: suffixTest,
  unit: (word) => word.charCodeAt(word.length - 1),
  plain: endsIn,
  folded: (text, word) => text.length >= word.length && hasFoldedAt(text, word, text.length - word.length),
});

/** Tests whether a word is at one end of a string, with and without case. */
interface AffixTests {
  /** The quick check. It also compares one unit of the word, which excludes most strings without a call. */
  readonly template: QuickTemplate;
  readonly unit: (word: string) => number;
  readonly plain: (text: string, word: string) => boolean;
  readonly folded: (text: string, word: string) => boolean;
}

function affix(tests: AffixTests): OperatorBehaviour {
  return {
    createTest(context) {
      const { match, operand, compileContext } = context;
      if (!operand.wellFormed) return createTextTest(context, () => false);
      const ignoreCase = literalOf(match)?.ignoreCase === true;
      const word = ignoreCase ? foldText(operand.text) : operand.text;
      const test = ignoreCase ? tests.folded : tests.plain;
      const charge = chargeComparison(match, compileContext, 'literal', ignoreCase ? foldWeight : 1);
      return createTextTest(context, (text) => {
        charge(Math.min(text.length, word.length));
        return test(text, word);
      });
    },
    chooseCheck({ node, operand: { text }, type }) {
      if (text === '' || !takesText(type, literalOf(node))) return null;
      const word = internText(text);
      if (literalOf(node)?.ignoreCase !== true)
        return { template: tests.template, operands: [word, tests.unit(word)] };
      const folded = foldText(word);
      return { template: textTest, operands: [(value: string) => tests.folded(value, folded), Infinity] };
    },
    indexKeys: () => null,
  };
}

/** Whether values that may be strings are compared with the literal verbatim. */
export function takesText(type: Type, literal: Value | null): boolean {
  const kind = valueKindOf(type);
  if (literal?.form === 'typed' || literal?.form === 'now') return false;
  return type.kind === 'any' || kind === 'string' || kind === 'time';
}
