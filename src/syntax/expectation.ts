/** One thing that can stand at a place: our word for it, and the words that go-bexpr has in its list. */
interface Choice {
  readonly name: string;
  readonly go: readonly string[];
}

function word(text: string): Choice {
  return { name: `"${text}"`, go: [`"${text}"`] };
}

const letters = '[a-zA-Z]';
const blanks = '[ \\t\\r\\n]';
const selector: Choice = { name: 'a selector', go: ['"\\""', letters] };
const value: Choice = { name: 'a value', go: ['"-"', '"0"', '"\\""', '"`"', '[1-9]', letters] };
const name: Choice = { name: 'a name', go: [letters] };
const index: Choice = { name: 'an index', go: ['[0-9]'] };
const key: Choice = { name: 'a quoted key', go: ['"\\""', '"`"'] };
const end: Choice = { name: 'end of input', go: ['EOF'] };
const blank: Choice = { name: 'whitespace', go: [blanks] };

const connectives = [word('and'), word('or')];
const parts = [word('.'), word('[')];
const operators = ['==', '!=', 'in', 'not', 'contains', 'matches', 'is'].map(word);

/** What can stand at a place, and a phrase that sums it up behind `expected`. */
export interface Expectation {
  readonly phrase: string;
  readonly choices: readonly Choice[];
  /** Keywords whose beginning go-bexpr recognises before it misses the whitespace behind them. */
  readonly keywords: readonly string[];
}

function expectation(phrase: string, choices: readonly Choice[]): Expectation {
  const keywords = choices.map((choice) => choice.name.slice(1, -1)).filter((text) => /^[a-z]+$/.test(text));
  return { phrase, choices, keywords };
}

/** Every place where the grammar can fail, by the name that the parser gives it. */
export const expectations = {
  operand: expectation('a comparison such as Name == "x"', [
    selector,
    value,
    ...['(', 'not', 'any', 'all'].map(word),
  ]),
  operator: expectation('an operator such as == or in', [...operators, ...parts]),
  membership: expectation('in or not in after a value', [word('in'), word('not')]),
  value: expectation('a value', [value]),
  selector: expectation('a field name', [selector]),
  container: expectation('the name of the field to look in', [selector]),
  property: expectation('empty, nil or not', ['empty', 'nil', 'not'].map(word)),
  negatedProperty: expectation('empty or nil', ['empty', 'nil'].map(word)),
  negatable: expectation('in, contains or matches', ['in', 'contains', 'matches'].map(word)),
  negatedMembership: expectation('in', [word('in')]),
  part: expectation('a name or an index after the dot', [name, index]),
  key: expectation('a quoted key', [key]),
  bracket: expectation('"]"', [word(']')]),
  as: expectation('as', [word('as'), ...parts]),
  binding: expectation('a name for the element', [name, word('_')]),
  bindingComma: expectation('"," and a name', [word(',')]),
  bindingName: expectation('a name', [name]),
  bindingEnd: expectation('"{"', [word('{'), word(',')]),
  brace: expectation('"{"', [word('{')]),
  end: expectation('and, or, or the end', [...connectives, end]),
  groupEnd: expectation('and, or, or ")"', [...connectives, word(')')]),
  bodyEnd: expectation('and, or, or "}"', [...connectives, word('}')]),
  whitespace: expectation('whitespace', [blank]),
  noWhitespace: expectation('no whitespace inside a selector', [...operators, ...parts]),
  numberEnd: expectation('whitespace or the end of the number', [blank]),
  newline: expectation('no line break inside quotes', []),
  escape: expectation('an escape such as \\n or \\x22', []),
} as const satisfies Readonly<Record<string, Expectation>>;

export type ExpectationName = keyof typeof expectations;

export function isExpectationName(text: string): text is ExpectationName {
  return Object.hasOwn(expectations, text);
}
