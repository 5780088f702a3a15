import { literalOf } from '../../syntax/ast.js';
import { foldText, hasFoldedAt } from '../../values/case-fold.js';
import { payForComparison } from '../fare.js';
import type { OperatorBehaviour } from './behaviour.js';
import { createTextTest } from './text-test.js';

/** `starts with`. */
export const prefix = affix({
  plain: (text, word) => text.startsWith(word),
  folded: (text, word) => text.length >= word.length && hasFoldedAt(text, word, 0),
});

/** `ends with`. */
export const suffix = affix({
  plain: (text, word) => text.endsWith(word),
  folded: (text, word) => text.length >= word.length && hasFoldedAt(text, word, text.length - word.length),
});

/** Whether a word stands at an end of a text; without case, whether a folded one does. */
interface AffixTests {
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
      const pay = payForComparison(match, compileContext, true);
      return createTextTest(context, (text) => {
        pay(Math.min(text.length, word.length));
        return test(text, word);
      });
    },
    chooseCheck: () => null,
    indexKeys: () => null,
  };
}
