import { expects, replace, replaceHere, type HintRule } from './hint.js';
import { literalPattern, quoteText, readLiteral, selectorAtEnd, writeLiteral } from './loose-syntax.js';
import { globOf } from './operator-wording.js';

// What other languages have too, in words and signs of theirs, and level 1 of the language in its own.

/** `a => 5`: no function, because a value stands behind it. */
const turnedSign: HintRule = (context) => {
  const sign = /^(?:=>|=<)(?=\s*(?:["'`\d@-]|now\b))/.exec(context.rest)?.[0];
  if (context.level === 0 || sign === undefined || !expects(context, 'operator', 'comparator')) return null;
  const known = sign === '=>' ? '>=' : '<=';
  return replaceHere(context, 2, known, `This is written ${known}.`);
};

const bound = `(?:${literalPattern}|[\\d][\\w.:/+-]*)`;
const between = new RegExp(`^(not\\s+)?between\\s+(${bound})\\s+and\\s+(${bound})`, 'i');

/** `Priority BETWEEN 1 AND 5`. */
const betweenBounds: HintRule = (context) => {
  if (context.level === 0 || !expects(context, 'operator', 'negatable')) return null;
  const lead = expects(context, 'negatable') ? (/\bnot\s+$/.exec(context.before)?.[0] ?? '') : '';
  const found = between.exec(context.rest);
  const selector = selectorAtEnd.exec(context.before.slice(0, context.before.length - lead.length));
  if (found === null || selector === null) return null;
  const [all, not = '', low = '', high = ''] = found;
  const name = selector[1] ?? '';
  const range = `(${name} >= ${boundOf(low)} and ${name} <= ${boundOf(high)})`;
  const text = lead + not === '' ? range : `not ${range}`;
  const { start } = context.failure.span;
  const from = start - (context.before.length - selector.index);
  return {
    hint: `A range has two ends: ${name} >= 1 and ${name} <= 5.`,
    suggestions: replace(`write ${text}`, from, start + all.length, text),
  };
};

function boundOf(written: string): string {
  return written.startsWith("'") ? writeLiteral(readLiteral(written) ?? '') : written;
}

const orderingWords: readonly (readonly [words: RegExp, sign: string])[] = [
  [/^(?:greater|more|larger)\s+(?:than\s+)?or\s+equals?(?:\s+to)?\b|^(?:at\s+least|gte|ge)\b/i, '>='],
  [/^(?:less|smaller)\s+(?:than\s+)?or\s+equals?(?:\s+to)?\b|^(?:at\s+most|lte|le)\b/i, '<='],
  [/^(?:greater|more|larger|newer|later)\s+than\b|^(?:after|above|gt)\b/i, '>'],
  [/^(?:less|smaller|older|earlier)\s+than\b|^(?:before|below|lt)\b/i, '<'],
];

/** `Priority is greater than 5`, `Priority gte 5`. */
const orderingInWords: HintRule = (context) => {
  if (context.level === 0 || !expects(context, 'operator', 'property')) return null;
  const is = /^is\s+/i.exec(context.rest)?.[0] ?? '';
  const lead = expects(context, 'property') ? (/\bis\s+$/i.exec(context.before)?.[0] ?? '') : '';
  const rest = context.rest.slice(is.length);
  const known = orderingWords.find(([words]) => words.test(rest));
  if (known === undefined) return null;
  const [words, sign] = known;
  const { start } = context.failure.span;
  const end = start + is.length + (words.exec(rest)?.[0].length ?? 0);
  const title = `write ${sign}`;
  return { hint: `This is written ${sign}.`, suggestions: replace(title, start - lead.length, end, sign) };
};

/** `Name like 'web%'`. */
const likeText: HintRule = (context) => {
  const text = /^'([^'\n]*)'/.exec(context.rest);
  if (
    context.level === 0 ||
    text === null ||
    !expects(context, 'value') ||
    !/\blike\s*$/.test(context.before)
  )
    return null;
  const form = quoteText(globOf(text[1] ?? ''));
  return replaceHere(context, text[0].length, form, 'Text stands in double quotes, and * is any characters.');
};

/** `Status in ['running', 'dead']`. */
const listedText: HintRule = (context) => {
  const text = /^'[^'\n]*'/.exec(context.rest)?.[0];
  if (text === undefined || !expects(context, 'listStart', 'listEnd', 'value')) return null;
  if (!/\bin\s*\[[^\]]*$/.test(context.before)) return null;
  const close = context.rest.indexOf(']');
  const inside = context.rest.slice(0, close === -1 ? text.length : close);
  const corrected = inside.replace(/'[^'\n]*'/g, (each) => quoteText(each.slice(1, -1)));
  return replaceHere(context, inside.length, corrected, 'Text stands in double quotes.');
};

export const levelOneForms: readonly HintRule[] = [
  turnedSign,
  betweenBounds,
  orderingInWords,
  likeText,
  listedText,
];
