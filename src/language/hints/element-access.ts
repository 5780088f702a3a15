import {
  expects,
  replaceHere,
  replace,
  rewrite,
  type Hint,
  type HintRule,
  type HintContext,
} from './hint.js';
import { literalPattern, quoteText, readSelector, selectorPattern } from './loose-syntax.js';
import { elementName } from '../syntax/literal.js';
import { operatorPattern } from './operator-spelling.js';

// List element access in the syntax of other languages.

export const index: HintRule = (context) => {
  if (!expects(context, 'key')) return null;
  const elements = everyElement(context);
  if (elements !== null) return elements;
  const digits = /^([0-9]+)\s*\]/.exec(context.rest);
  const bracket = context.source.lastIndexOf('[', context.failure.span.start);
  if (digits !== null) {
    const part = `.${digits[1] ?? ''}`;
    const hint = `Select an element of a list with a dot: ${part}.`;
    return rewrite(context, hint, part, context.failure.span.start - bracket, digits[0].length);
  }
  if (/^-[0-9]/.test(context.rest))
    return { hint: 'The first element is .0; elements cannot be counted from the end.' };
  const word = /^[^\s"`\]]+(?=\s*\])/.exec(context.rest)?.[0];
  const hint = 'Put the key in quotes.';
  return word === undefined ? { hint } : replaceHere(context, word.length, `"${word}"`, hint);
};

const memberTest = new RegExp(
  `^(?:[*#]?\\s*\\])?((?:\\.[a-zA-Z][\\w/]*|\\["[^"\\]\\n]*"\\])*)\\s*(===?|=|!==?|${operatorPattern})\\s*(${literalPattern})`,
);

/** Returns the hint for a wildcard over elements, such as `TaskGroups[*].Name == web`: use `any` or `all`. */
function everyElement(context: HintContext): Hint | null {
  if (!/^(?:[*#]\s*)?\]|^[*#]\./.test(context.rest)) return null;
  const head = new RegExp(`(${selectorPattern})(?:\\[\\s*|\\.)$`).exec(context.before);
  const hint = 'Test the elements of a list with any or all: any Groups as g { g.Name == "web" }.';
  const test = memberTest.exec(context.rest.replace(/^[*#](?=\.)/, ''));
  if (head === null || test === null) return { hint };
  const list = readSelector(head[1] ?? '');
  if (list === null) return { hint };
  const [all, rest = '', written = '', value = ''] = test;
  const operator = written.replace(/^=+$/, '==').replace('!==', '!=');
  const name = elementName([list]);
  const body = `${name}${rest} ${operator} ${/^'/.test(value) ? quoteText(value.slice(1, -1)) : value}`;
  const { start } = context.failure.span;
  const end = start + all.length + (/^[*#]\./.test(context.rest) ? 1 : 0);
  const kinds = /^(?:!|not)/.test(operator) ? ['all', 'any'] : ['any', 'all'];
  const texts = kinds.map((kind) => `${kind} ${list} as ${name} { ${body} }`);
  return {
    hint: `Test the elements of a list with any or all: ${texts[0] ?? ''}.`,
    suggestions: texts.flatMap((text) => replace(`write ${text}`, start - head[0].length, end, `(${text})`)),
  };
}

/** Rule for stars as a part of a path: `TaskGroups.*.Name`, `TaskGroups.#.Name`. */
export const starPart: HintRule = (context) => (expects(context, 'part') ? everyElement(context) : null);
