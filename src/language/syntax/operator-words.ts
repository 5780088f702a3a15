import { operators, type MatchOperator } from '../operators/operators.js';
import type { Extension, Operator, Spelling } from '../operators/operator.js';

/** An operator as written, in up to three words: `is not empty`. A word may contain a space (`starts with`). */
export interface OperatorWords extends Pick<Spelling, 'position'> {
  readonly text: string;
  readonly operator: MatchOperator;
  readonly words: readonly string[];
  /** The extension that the operator belongs to; null for operators of go-bexpr. */
  readonly extension: Extension | null;
}

/** All spellings of the operators, each followed by its negation. */
export const operatorWords: readonly OperatorWords[] = operators.flatMap(
  ({ name, negation, spellings, extension }: Operator<MatchOperator, MatchOperator | null>) =>
    spellings.flatMap(({ text, negation: negated, position }) => {
      const shared = { position, extension: extension ?? null };
      const plain = { ...shared, text, operator: name, words: wordsOf(text) };
      if (negated === null || negation === null) return [plain];
      return [plain, { ...shared, text: negated, operator: negation, words: wordsOf(negated) }];
    }),
);

/** The suffix that distinguishes the list form of an operator in operator names. */
export const listMark = ' [..]';

/** The operators that differ by their words, not only by a following list. */
export const spokenWords = operatorWords.filter(({ position }) => position !== 'list');

/** Returns `is`, `not` and the remaining words. */
function wordsOf(text: string): readonly string[] {
  const [, ...words] = /^(is )?(not )?(.+)$/.exec(text) ?? [];
  return words.flatMap((word) => word?.trim() ?? []);
}

const byText: ReadonlyMap<string, MatchOperator> = new Map(
  operatorWords.map(({ text, operator }) => [text, operator]),
);

/** Returns the operator with a spelling; words are separated by single spaces. */
export function operatorOf(text: string): MatchOperator {
  // The grammar accepts no others.
  return byText.get(text) as MatchOperator;
}

function each(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}

function lastWords(isMeant: (form: OperatorWords) => boolean): readonly string[] {
  return each(spokenWords.filter(isMeant).map(({ words }) => words.at(-1) ?? ''));
}

/** The first words of operators: `==`, `in`, `not`, `is`. */
export const firstWords = each(spokenWords.map(({ words: [first = ''] }) => first));
/** Words that can follow `not`: `in`, `contains`. */
export const negatableWords = lastWords(({ words: [first] }) => first === 'not');
/** Words between selector and value, without `not`: `==`, `contains`. */
export const infixWords = lastWords(({ position }) => position === 'infix');
/** Words between value and selector: `in`. */
export const reversedWords = lastWords(({ position }) => position === 'reversed');
/** Words that follow `is`: `empty`. */
export const stateWords = lastWords(({ position }) => position === 'postfix');
/** The last words of operators that go-bexpr lacks. */
export const extensionWords = lastWords(({ extension }) => extension !== null);
/** The operators written as signs. */
export const signWords = firstWords.filter((word) => !/^[a-z]/.test(word));
