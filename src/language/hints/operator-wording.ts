import {
  afterOperand,
  expects,
  gapBefore,
  replaceHere,
  maxLookahead,
  rewrite,
  type Hint,
  type HintContext,
  type HintRule,
} from './hint.js';
import { quotePattern } from './glob.js';
import { prefixTest, suffixTest } from './loose-syntax.js';
import type { Level } from '../syntax/dialect.js';
import { escapePattern, quoteText, readSlashed, writeLiteral } from './loose-syntax.js';
import { beforeValue, noOrder } from './operator-spelling.js';

// Operators in the words of other languages and of natural language.

/** Matches a literal at the start: in any quotes or in slashes. */
const literalAtStart =
  /^\s*\(?\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\n]*)`|(\/(?:[^/\\\n]|\\.)+\/[a-z]*))\s*\)?/;

/** Matches a literal like {@link literalAtStart}, or a word without quotes after a space. */
const wordAtStart = /^\s+()()()([^\s"'`(){},;]+)/;

function bodyOf(literal: RegExpExecArray): string {
  const slashed = literal[4] === undefined ? null : readSlashed(literal[4]);
  return literal[1] ?? literal[2] ?? literal[3] ?? slashed?.pattern ?? '';
}

/** Rule for `like` and similar operators, whose patterns have another syntax. */
export const like: HintRule = (context) => {
  if (!expects(context, 'operator', 'property', 'negatable')) return null;
  const word = /^(?:not\s+)?(?:i?like|r?like|regexp?|=~|~=|!~|~)(?![\w=~])/i.exec(context.rest)?.[0];
  if (word === undefined) return null;
  const isLike = /like$/i.test(word);
  if (isLike && context.level > 0) return likeForm(context, word);
  const hint = 'To match a regular expression, use matches: Name matches "^web".';
  const rest = context.rest.slice(word.length);
  const literal = literalAtStart.exec(rest);
  if (literal === null || bodyOf(literal).includes('`')) return { hint };
  const isNegated = word.startsWith('!') || /^not/i.test(word);
  const flags = /i(?:like)$/i.test(word) ? '(?i)' : '';
  const pattern = quotePattern(flags + (isLike ? likePattern(bodyOf(literal)) : bodyOf(literal)));
  const operator = `${isNegated ? 'not ' : ''}matches`;
  // In `is like`, the `is` is replaced too.
  const lead = expects(context, 'property') ? (/\bis\s+$/.exec(context.before)?.[0].length ?? 0) : 0;
  const text = `${/\w$/.test(context.before) ? ' ' : ''}${operator} ${pattern}`;
  return rewrite(context, hint, text, lead, word.length + literal[0].length);
};

/** Returns the equivalent of `LIKE 'web%'` in the language. */
function likeForm(context: HintContext, word: string): Hint {
  const hint = 'like matches * with any characters and ? with one: Name like "web-*".';
  const literal = literalAtStart.exec(context.rest.slice(word.length));
  if (literal === null || literal[4] !== undefined) return { hint };
  const not = /^not/i.test(word) ? 'not ' : '';
  const flag = /i(?:like)$/i.test(word) ? 'i' : '';
  const lead = expects(context, 'property') ? (/\bis\s+$/.exec(context.before)?.[0].length ?? 0) : 0;
  const text = `${/\w$/.test(context.before) ? ' ' : ''}${not}like ${quoteText(globOf(bodyOf(literal)))}${flag}`;
  return rewrite(context, hint, text, lead, word.length + literal[0].length);
}

/** Converts an SQL pattern to a glob: `%` is `*`, `_` is `?`; a string with neither may be a glob already. */
export function globOf(text: string): string {
  if (!/[%_]/.test(text)) return text;
  return text
    .replace(/[*?\\]/g, '\\$&')
    .replaceAll('%', '*')
    .replaceAll('_', '?');
}

/** Converts an SQL pattern to an anchored regular expression: `%` is any string, `_` any character. */
function likePattern(text: string): string {
  const inner = text
    .split('%')
    .map((part) => part.split('_').map(escapePattern).join('.'))
    .join('.*');
  return `^${inner}$`.replace(/^\^\.\*/, '').replace(/\.\*\$$/, '');
}

/**
 * Operators that consist of several words or are spelled as in other languages, with their replacement. It may depend on what
 * follows.
 */
const phrases: readonly {
  readonly words: RegExp;
  readonly negated?: true;
  write(text: string, level: Level): string;
}[] = [
  ...(
    [
      [/^(?:starts?|begins?|starting|beginning)[_ ]?(?:with)?|^\^=|^has[_ ]?prefix/i, 'beginning'],
      [/^(?:ends?|ending)[_ ]?(?:with|in)?|^\$=|^has[_ ]?suffix/i, 'end'],
    ] as const
  ).map(([words, position]) => ({
    words,
    write: position === 'beginning' ? prefixTest : suffixTest,
  })),
  {
    words: /^(?:contains?|containing|includes?|including|has|have|holds?)(?![\w/.])|^\*=/i,
    write: (text) => `contains ${writeLiteral(text)}`,
  },
  { words: /^(?:match|matches|matching)(?![\w/.])/i, write: (text) => `matches ${quotePattern(text)}` },
  {
    words: /^(?:equals?|be|equivalent|the same)(?:\s+(?:to|as))?(?![\w/.])/i,
    write: (text) => `== ${writeLiteral(text)}`,
  },
  {
    words: /^(?:unequal|different)\s+(?:to|from)(?![\w/.])/i,
    negated: true,
    write: (text) => `== ${writeLiteral(text)}`,
  },
];

/** Matches what may precede such words: `is`, `not`, `doesn't`. */
const negation = /^(?:is\s+)?(?:not|(?:does|do|did|is)(?:\s*n[o'’]t|\s+not)|isn)\s+/i;

/** `Name starts with "web"`, `Name doesn't contain web`, `Status is equal to x`. */
export const phrase: HintRule = (context) => {
  if (!expects(context, 'operator', 'property', 'negatedProperty', 'negatable')) return null;
  const lead = expects(context, 'operator')
    ? ''
    : (/(?:\bis\s+)?(?:\bnot\s+)?$/.exec(context.before)?.[0] ?? '');
  const text = lead + context.rest.slice(0, maxLookahead);
  const not = negation.exec(text)?.[0] ?? /^is\s+/i.exec(text)?.[0] ?? '';
  const afterNot = text.slice(not.length);
  const known = phrases.find(({ words }) => words.test(afterNot));
  if (known === undefined) return null;
  const words = known.words.exec(afterNot)?.[0] ?? '';
  const rest = afterNot.slice(words.length);
  const literal = literalAtStart.exec(rest) ?? wordAtStart.exec(rest);
  const isNegated = /n[o'’]t|isn/i.test(not) !== (known.negated === true);
  const body =
    literal === null ? 'web' : literal[1] === '' && literal[4] !== undefined ? literal[4] : bodyOf(literal);
  const written = isNegated ? negated(known.write(body, context.level)) : known.write(body, context.level);
  const hint = `Write this as ${written}.`;
  if (literal === null) return { hint };
  const gap = /\w$/.test(context.before.slice(0, context.before.length - lead.length)) ? ' ' : '';
  const length = not.length + words.length + literal[0].trimEnd().length - lead.length;
  return rewrite(context, hint, gap + written, lead.length, length);
};

function negated(test: string): string {
  return test.startsWith('==') ? test.replace('==', '!=') : `not ${test}`;
}

/** `zone isn't "eu"`. */
export const isNot: HintRule = (context) => {
  const word = /^(?:isn|aren|wasn)['’]?t\s+(?=["'`\w-])/i.exec(context.rest)?.[0];
  if (!expects(context, 'operator') || word === undefined) return null;
  const isTest = /^(?:empty|nil|null|none|blank)\b/i.test(context.rest.slice(word.length));
  return replaceHere(
    context,
    word.length,
    isTest ? 'is not ' : '!= ',
    `Write this as ${isTest ? 'is not' : '!='}.`,
  );
};

/** `Priority between 1 and 50`. */
export const range: HintRule = (context) => {
  if (
    !expects(context, 'operator', 'property', 'negatable') ||
    !/^(?:between|(?:greater|less|more|larger|smaller|at\s+(?:least|most)|before|after|older|newer|above|below|gte?|lte?|ge|le)\b)/i.test(
      context.rest,
    )
  )
    return null;
  if (context.level > 0) return { hint: 'Use <, <=, > and >=: Priority >= 1 and Priority <= 5.' };
  return {
    hint: `${noOrder} Compare with each value: Priority == 1 or Priority == 2.`,
  };
};

/** `Status not running`. */
export const notValue: HintRule = (context) => {
  if (
    !expects(context, 'negatable') ||
    !/^(?:["'`\d-]|[a-zA-Z][\w/.]*\s*(?:$|[)}]|(?:and|or)\b))/.test(context.rest)
  )
    return null;
  const not = /\bnot\s+$/.exec(context.before);
  if (not === null || /^(?:nil|null|none|empty|undefined)\b/i.test(context.rest)) return null;
  return rewrite(context, 'Use != for inequality.', '!= ', not[0].length, 0);
};

/** `Name is empty string`, `Tags is an empty list`, `Name is blank`. */
export const emptyThing: HintRule = (context) => {
  const hint = 'Write this as is empty.';
  const thing = /^(?:strings?|texts?|lists?|arrays?|maps?|objects?|values?)(?![\w/.])/i.exec(
    context.rest,
  )?.[0];
  if (
    expects(context, ...afterOperand) &&
    thing !== undefined &&
    /\bis\s+(?:not\s+)?empty\s+$/.test(context.before)
  )
    return rewrite(context, hint, '', gapBefore(context), thing.length);
  if (!expects(context, 'property', 'negatedProperty')) return null;
  const words =
    /^(?:(?:an\s+|the\s+)?empty(?:\s+(?:string|text|list|array|map|object|value))?|blank|"")(?![\w/.])/i.exec(
      context.rest,
    )?.[0];
  return words === undefined || words === 'empty' ? null : replaceHere(context, words.length, 'empty', hint);
};

const letterAfterOperator = new RegExp(String.raw`${beforeValue}\s*([rRbBuUfFNn@]{1,2})$`);

/** `Name == r"^web"`: a prefix letter before the quote. */
export const prefixedLiteral: HintRule = (context) => {
  const letter = letterAfterOperator.exec(context.before)?.[1];
  if (letter === undefined || !expects(context, ...afterOperand) || !/^["'`]/.test(context.rest)) return null;
  return rewrite(context, 'Remove the prefix before the quotes.', '', letter.length, 0);
};
