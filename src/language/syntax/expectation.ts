import {
  extensionWords,
  firstWords,
  negatableWords,
  operatorWords,
  reversedWords,
  signWords,
  stateWords,
} from './operator-words.js';
import { enumerate } from './wording.js';

/** One token allowed at a position: our name for it, and the words that go-bexpr lists. */
interface Choice {
  readonly name: string;
  readonly go: readonly string[];
}

function word(text: string): Choice {
  return { name: `"${text}"`, go: [`"${text}"`] };
}

/** go-bexpr lists its own operators only. */
function operatorWord(text: string): Choice {
  return extensionWords.includes(text) ? { ...word(text), go: [] } : word(text);
}

const characters = '[a-zA-Z]';

/** Whitespace, in go-bexpr's lists. */
export const whitespace = '[ \\t\\r\\n]';
const selector: Choice = { name: 'a selector', go: ['"\\""', characters] };
const value: Choice = { name: 'a value', go: ['"-"', '"0"', '"\\""', '"`"', '[1-9]', characters] };
const name: Choice = { name: 'a name', go: [characters] };
const index: Choice = { name: 'an index', go: ['[0-9]'] };
const key: Choice = { name: 'a quoted key', go: ['"\\""', '"`"'] };
const end: Choice = { name: 'end of input', go: ['EOF'] };
const blank: Choice = { name: 'whitespace', go: [whitespace] };

const basicNegatable = negatableWords.filter((text) => !extensionWords.includes(text));
const connectives = [word('and'), word('or')];

const operators = firstWords.map(operatorWord);
const reversed = reversedWords.map(word);
/** `in` and `not in`. */
const reversedForms = operatorWords.filter(({ position }) => position === 'reversed').map(({ text }) => text);
const states = stateWords.map(word);

/** The tokens allowed at a position where the grammar can fail. */
export interface Expectation {
  /** Summary of the choices, printed after `expected`; or a complete label if a summary would not help. */
  readonly phrase: string;
  readonly isLabel: boolean;
  readonly choices: readonly Choice[];
  /** The phrase for level 0. */
  readonly basicPhrase: string;
  /** Words that are allowed at the position. */
  readonly words: readonly string[];
  /** Words that go-bexpr recognises at the beginning of a longer one, before it reports missing whitespace. */
  readonly keywords: readonly string[];
}

function expectation(
  phrase: string,
  choices: readonly Choice[],
  isLabel = false,
  basicPhrase = phrase,
): Expectation {
  const words = choices.map((choice) => choice.name.slice(1, -1)).filter((text) => /^[a-z]+$/.test(text));
  const keywords = words.filter((text) => !extensionWords.includes(text));
  return { phrase, basicPhrase, isLabel, choices, words, keywords };
}

function labelled(label: string, choices: readonly Choice[] = []): Expectation {
  return expectation(label, choices, true);
}

/** The expectations by the names that the parser uses. */
export const expectations = {
  operand: expectation('a comparison such as Name == "x"', [
    selector,
    value,
    ...['(', 'not', 'any', 'all'].map(word),
  ]),
  operator: expectation('an operator such as == or in', operators),
  membership: expectation(`${enumerate(reversedForms, 'or')} after a value`, [...reversed, word('not')]),
  value: expectation('a value', [value]),
  selector: expectation('a field name', [selector]),
  container: expectation('a field name or a list', [selector]),
  property: expectation(enumerate([...stateWords, 'not'], 'or'), [...states, word('not')]),
  negatedProperty: expectation(enumerate(stateWords, 'or'), states),
  comparator: expectation('a comparison of the length, such as > 3', [
    ...signWords.map(operatorWord),
    ...reversed,
    word('not'),
  ]),
  sizeEnd: expectation('")"', [word(')')]),
  listStart: expectation('a value or "]"', [value, word(']')]),
  listEnd: expectation('"," or "]"', [word(','), word(']')]),
  clock: labelled('now is valid only after <, <=, >, >= or in a list'),
  bareValue: labelled('this is a field, not a value', [value]),
  reference: labelled('a reference to another field is not valid here'),
  negatable: expectation(
    enumerate(negatableWords, 'or'),
    negatableWords.map(operatorWord),
    false,
    enumerate(basicNegatable, 'or'),
  ),
  negatedMembership: expectation(enumerate(reversedWords, 'or'), reversed),
  part: expectation('a name or a number after the dot', [name, index]),
  key: expectation('a quoted key', [key]),
  bracket: expectation('"]"', [word(']')]),
  as: expectation('as and a name for the element', [word('as')]),
  binding: expectation('a name for the element', [name, word('_')]),
  bindingComma: expectation('a comma and a name, as in _, x', [word(',')]),
  bindingName: expectation('a name', [name]),
  bindingEnd: expectation('"{"', [word('{'), word(',')]),
  end: expectation('`and`, `or` or end of input', [...connectives, end]),
  groupEnd: expectation('`and`, `or` or ")"', [...connectives, word(')')]),
  bodyEnd: expectation('`and`, `or` or "}"', [...connectives, word('}')]),
  quote: labelled('this quote is never closed', [key]),
  newline: labelled('a string in double quotes cannot contain a line break'),
  escape: labelled('unknown escape sequence'),
  escapedQuote: labelled('a quote cannot be escaped'),
  numberEnd: labelled('this is not a number', [blank]),
  // These failures occur only in go-bexpr's dialect.
  numberGap: labelled('whitespace must follow a number', [blank, word(')'), end]),
  whitespace: labelled('whitespace is missing here', [blank]),
  noWhitespace: labelled('a selector cannot contain whitespace', operators),
  parentheses: labelled('any and all need parentheses next to and, or and not', operators),
} as const satisfies Readonly<Record<string, Expectation>>;

export type ExpectationName = keyof typeof expectations;

export function isExpectationName(text: string): text is ExpectationName {
  return Object.hasOwn(expectations, text);
}
