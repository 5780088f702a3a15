import { suggestNames } from '../diagnostics/suggest.js';
import { expectations } from '../syntax/expectation.js';
import { emptiness } from './function-call.js';
import {
  afterOperand,
  expects,
  guess,
  replace,
  replaceHere,
  rewrite,
  type Hint,
  type HintContext,
  type HintRule,
} from './hint.js';
import { closingEnd, literalPattern, selectorPattern } from './loose-syntax.js';
import { noOrder } from './operator-spelling.js';
import { isOrdering, reversedOrderings } from '../values/ordering.js';

// Operators and connectives of other languages, and common misspellings.

export const equality: HintRule = (context) => {
  const hint = 'Use == for equality.';
  const none = /^(=|<>)\s*(?:null|nil|none|undefined)(?![\w/.])/i.exec(context.rest);
  if (expects(context, 'operator') && none !== null) {
    const word = none[1] === '=' ? 'is nil' : 'is not nil';
    return replaceHere(context, none[0].length, word, `Use ${word} for null.`);
  }
  if (expects(context, 'operator', 'comparator') && /^=(?![=~])/.test(context.rest))
    return replaceHere(context, 1, '==', hint);
  const words = /^(?:is(?:\s+equal\s+to)?|equals?(?:\s+to)?|eq)\s+(?=[0-9])/i
    .exec(context.rest)?.[0]
    .trimEnd();
  if (expects(context, 'comparator') && words !== undefined)
    return replaceHere(context, words.length, '==', hint);
  if (expects(context, 'value') && /^=/.test(context.rest)) return replaceHere(context, 1, '', hint);
  const is = /\bis\s+$/.exec(context.before);
  if (is === null || !expects(context, 'property') || !/^["`0-9-]/.test(context.rest)) return null;
  const start = context.failure.span.start - is[0].length;
  return { hint, suggestions: replace('write == instead of is', start, start + 2, '==') };
};

export const inequality: HintRule = (context) => {
  const other = /^(?:is\s+not|not\s+equals?(?:\s+to)?|ne|~=|!==|≠)(?=[\s0-9])/i.exec(context.rest)?.[0];
  if (expects(context, 'comparator') && other !== undefined)
    return replaceHere(context, other.length, '!=', 'Use != for inequality.');
  const not = /\bnot\s*$/.exec(context.before);
  if (not === null || !expects(context, 'negatable') || !/^==?/.test(context.rest)) return null;
  const start = context.failure.span.start - not[0].length;
  const end = context.failure.span.start + (/^==?/.exec(context.rest)?.[0].length ?? 0);
  return { hint: 'Use != for inequality.', suggestions: replace('write != instead', start, end, '!=') };
};

export const ordering: HintRule = (context) => {
  const sign = /^(?:<>|[<>]=?|=[<>]|[≤≥])(?![=<>])/.exec(context.rest)?.[0];
  if (!expects(context, 'operator', 'membership', 'comparator') || sign === undefined) return null;
  if (sign === '<>') return replaceHere(context, 2, '!=', 'Use != for inequality.');
  if (context.level > 0) return orderedSign(context, sign);
  const operand = /^\s*(?:([0-9]+)(?![\w.:-])|["'`]?([0-9]{4}-[0-9]{2})\b)/.exec(
    context.rest.slice(sign.length),
  );
  const [, count, month] = operand ?? [];
  const found = new RegExp(`(${selectorPattern})\\s*$`).exec(context.before);
  const selector = found?.[1];
  const measured = /^(.+)\.(?:length|len|size|count)$/i.exec(selector ?? '')?.[1];
  const test = count === undefined ? null : emptiness(sign, count);
  if (found !== null && measured !== undefined && operand !== null && test !== null) {
    const hint = 'Sizes cannot be compared; use is empty or is not empty.';
    return rewrite(context, hint, `${measured} ${test}`, found[0].length, sign.length + operand[0].length);
  }
  if (selector !== undefined && month !== undefined) {
    return { hint: `${noOrder} To match the beginning of a date, use ${selector} matches "^${month}".` };
  }
  const isSome = test === 'is not empty';
  if (!isSome || !expects(context, 'operator')) return { hint: noOrder };
  return guess(rewrite(context, noOrder, '!= 0', 0, sign.length + (operand?.[0].length ?? 0)));
};

/** Returns the hint for an ordering sign that the language writes differently, or that is in the wrong place. */
function orderedSign(context: HintContext, sign: string): Hint {
  const known = sign.replace('=>', '>=').replace('=<', '<=').replace('≥', '>=').replace('≤', '<=');
  const hint = 'Write <, <=, > or >= after a field.';
  if (expects(context, 'operator', 'comparator'))
    return known === sign ? { hint } : replaceHere(context, sign.length, known, hint);
  const value = new RegExp(`(${literalPattern})\\s*$`).exec(context.before);
  const field = new RegExp(`^\\s*(${selectorPattern})`).exec(context.rest.slice(sign.length));
  if (value === null || field === null) return { hint };
  const reversed = `${field[1] ?? ''} ${isOrdering(known) ? reversedOrderings[known] : known} ${value[1] ?? ''}`;
  return rewrite(context, hint, reversed, value[0].length, sign.length + field[0].length);
}

/** `Status IS NOT NULL`, `Status is null`. */
export const nothing: HintRule = (context) => {
  const isAtWord = expects(context, 'property', 'negatedProperty');
  if (!isAtWord && !expects(context, 'operator')) return null;
  const words = /^(is\s+)?(not\s+)?(?:null|none|undefined|nil)(?![\w/])/i.exec(context.rest);
  if (words === null || isAtWord === (words[1] !== undefined)) return null;
  const not = words[2] === undefined && !expects(context, 'negatedProperty') ? '' : 'not ';
  const hint = `Use \`is ${not}nil\` (null) or \`is ${not}empty\` (empty string).`;
  const test = `${words[1] === undefined ? '' : 'is '}${words[2] === undefined ? '' : 'not '}nil`;
  return replaceHere(context, words[0].length, test, hint);
};

export const connective: HintRule = (context) => {
  if (!expects(context, ...afterOperand)) return null;
  const sign = /^(?:&&?|\|\|?|,|;|(?:AND|And|OR|Or)(?![a-zA-Z0-9_/]))/.exec(context.rest)?.[0];
  if (sign === undefined) return null;
  const hint = 'Join comparisons with `and` or `or`, in lower case.';
  if (/^[,;]\s*$/.test(context.rest))
    return replaceHere(context, context.rest.length, '', 'Remove everything after the filter.');
  const word = /^[|o]/i.test(sign) ? 'or' : 'and';
  const before = /\w$/.test(context.before) ? ' ' : '';
  const after = /\w/.test(context.rest.charAt(sign.length)) ? ' ' : '';
  return replaceHere(context, sign.length, `${before}${word}${after}`, hint);
};

export const exclamation: HintRule = (context) => {
  if (!expects(context, 'operand') || !/^!(?!=)/.test(context.rest)) return null;
  const hint = 'Use not for negation.';
  const symbols = /^!+/.exec(context.rest)?.[0] ?? '!';
  if (symbols.length === 2) return replaceHere(context, 2, '', hint);
  // A source such as `not contains(...)` would be parsed as a field named `not`.
  const head = /^!\s*[a-zA-Z][\w.]*(?=\()/.exec(context.rest)?.[0];
  if (head === undefined) return replaceHere(context, 1, 'not ', hint);
  const { start } = context.failure.span;
  const end = closingEnd(context.source, start + head.length);
  if (end === -1) return replaceHere(context, 1, 'not ', hint);
  const call = context.source.slice(start + 1, end).trim();
  return { hint, isSweeping: true, suggestions: replace('write not', start, end, `not (${call})`) };
};

export const misspeltWord: HintRule = (context) => {
  const written = /^[a-zA-Z]+/.exec(context.rest)?.[0];
  const { words: all, keywords } = expectations[context.failure.expected];
  const words = context.level > 0 ? all : keywords;
  // An exclusive or is not equivalent to `or`.
  if (written === undefined || words.length === 0 || /^xor$/i.test(written)) return null;
  const [word] = suggestNames(written, words, 1);
  return word === undefined ? null : replaceHere(context, written.length, word, `Did you mean ${word}?`);
};
