import { operators, type MatchOperator } from '../operators/operators.js';
import type { Operator, Spelling } from '../operators/operator.js';

/** An operator as it is written: `is not empty` in three words, `contains` in one. */
export interface OperatorWords extends Pick<Spelling, 'position'> {
  readonly text: string;
  readonly operator: MatchOperator;
  readonly words: readonly string[];
}

/** All ways to write the operators, each followed by its negation. */
export const operatorWords: readonly OperatorWords[] = operators.flatMap(
  ({ name, negation, spellings }: Operator<MatchOperator, MatchOperator | null>) =>
    spellings.flatMap(({ text, negation: negated, position }) => [
      { text, operator: name, position, words: text.split(' ') },
      ...(negated === null || negation === null
        ? []
        : [{ text: negated, operator: negation, position, words: negated.split(' ') }]),
    ]),
);

const byText: ReadonlyMap<string, MatchOperator> = new Map(
  operatorWords.map(({ text, operator }) => [text, operator]),
);

/** The operator that is written so, with one blank between words. */
export function operatorOf(text: string): MatchOperator {
  // The grammar takes no others.
  return byText.get(text) as MatchOperator;
}

function each(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}

function lastWords(isMeant: (form: OperatorWords) => boolean): readonly string[] {
  return each(operatorWords.filter(isMeant).map(({ words }) => words.at(-1) ?? ''));
}

/** What an operator begins with: `==`, `in`, `not`, `is`. */
export const firstWords = each(operatorWords.map(({ words: [first = ''] }) => first));
/** What stands behind `not`: `in`, `contains`. */
export const negatableWords = lastWords(({ words: [first] }) => first === 'not');
/** What stands between selector and value, `not` left aside: `==`, `contains`. */
export const infixWords = lastWords(({ position }) => position === 'infix');
/** What stands between value and selector: `in`. */
export const reversedWords = lastWords(({ position }) => position === 'reversed');
/** What stands behind `is`: `empty`. */
export const stateWords = lastWords(({ position }) => position === 'postfix');
