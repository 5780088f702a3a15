import { afterOperand, expects, maxLookahead, replaceHere, rewrite, type HintRule } from './hint.js';
import { quoteText, readLiteral, writeLiteral } from './loose-syntax.js';
import { shortUnit, unitPattern } from './unit-words.js';
import { globOf } from './operator-wording.js';

// Level 1 features as spelled in other languages.

/** `a => 5`: not a function, because a value follows. */
const reversedSign: HintRule = (context) => {
  const sign = /^(?:=>|=<)(?=\s*(?:["'`\d@-]|now\b))/.exec(context.rest)?.[0];
  if (context.level === 0 || sign === undefined || !expects(context, 'operator', 'comparator')) return null;
  const known = sign === '=>' ? '>=' : '<=';
  return replaceHere(context, 2, known, `Write this as ${known}.`);
};

const amount = String.raw`-?[0-9][\w.:/+-]*(?:\s+(?:${unitPattern})(?![\w/.]))?`;
const bound = String.raw`"[^"\n]*"|'[^'\n]*'|now(?:\s*\(\s*\))?(?:\s*[-+]\s*${amount})?(?![\w/.])|${amount}|[a-zA-Z][\w/.]*`;
const bounds = String.raw`(${bound})\s*(?:\band\b|\bto\b|&&|,|\.\.)\s*(${bound})`;
const between = new RegExp(
  String.raw`^(not\s+)?between\s*(?:\(\s*${bounds}\s*\)|\[\s*${bounds}\s*\]|(?<=\s)${bounds})(?![\w/.:-])`,
  'i',
);
const measuredAtEnd = /(len\s*\(\s*[a-zA-Z][\w/.]*\s*\)|[a-zA-Z][\w/]*(?:\.[\w/]+|\["[^"\]]*"\])*)\s*$/;

/** `Priority BETWEEN 1 AND 5`, `Created between (2026-01-01, now)`. */
const betweenBounds: HintRule = (context) => {
  if (context.level === 0 || !expects(context, 'operator', 'negatable', 'comparator')) return null;
  if (!/^(?:not\s+)?between\b/i.test(context.rest)) return null;
  const lead = expects(context, 'negatable') ? (/\bnot\s+$/.exec(context.before)?.[0] ?? '') : '';
  const measured = measuredAtEnd.exec(context.before.slice(0, context.before.length - lead.length));
  const name = measured?.[1] ?? 'Priority';
  const found = between.exec(context.rest.slice(0, maxLookahead));
  if (found === null || measured === null)
    return { hint: `Write a range as two comparisons: ${name} >= low and ${name} <= high.` };
  const [all, not = '', ...ends] = found;
  const [low = '', high = ''] = ends.filter((end) => end !== undefined).map(boundOf);
  const range = `(${name} >= ${low} and ${name} <= ${high})`;
  const text = lead + not === '' ? range : `not ${range}`;
  const hint = `Write a range as two comparisons: ${name} >= ${low} and ${name} <= ${high}.`;
  return rewrite(context, hint, text, context.before.length - measured.index, all.length);
};

/** Normalises a bound: double quotes, no space before a unit, no parentheses after the clock. */
function boundOf(written: string): string {
  if (/^['"]/.test(written))
    return written.startsWith("'") ? writeLiteral(readLiteral(written) ?? '') : written;
  return written
    .replace(/^now\s*\(\s*\)/i, 'now')
    .replace(new RegExp(String.raw`(?<=[0-9])\s+(${unitPattern})$`, 'i'), (_, unit: string) =>
      shortUnit(unit),
    );
}

/** Matches a unit at the end of a comparison. The same letters begin a field if another comparison follows: `a == 1 b == 2`. */
const unitAlone = new RegExp(String.raw`^(?:${unitPattern})(?=\s*(?:$|[)}\],]|(?:and|or)\b))`, 'i');

/** `Memory > 512 MB`, `Created > now - 7 days`, `Timeout in [5 minutes]`. */
const spacedUnit: HintRule = (context) => {
  if (context.level === 0 || !expects(context, ...afterOperand, 'listEnd')) return null;
  const number = /(?:^|[^\w.])(-?[0-9]+(?:\.[0-9]+)?)(\s+)$/.exec(context.before);
  const unit = unitAlone.exec(context.rest)?.[0];
  if (number === null || unit === undefined) return null;
  const [, digits = '', gap = ''] = number;
  const text = digits + shortUnit(unit);
  const hint = `Write a number and its unit without a space: ${text}.`;
  return rewrite(context, hint, text, gap.length + digits.length, unit.length);
};

/** Names of the clock, and of offsets from it, in other languages. */
const clockNames =
  /(?<![\w/.])(?:now|(?:[a-z]+\.)*now|current_?timestamp|current_?time|get_?date|sysdate|utc_?now|ago)\s*$/i;

/** `Created < now()`, `Created > Date.now()`, `Created > ago("7d")`. */
const calledClock: HintRule = (context) => {
  if (context.level === 0 || !expects(context, ...afterOperand, 'listEnd')) return null;
  const name = clockNames.exec(context.before)?.[0];
  const call = /^\(\s*(?:["']?([0-9][0-9.]*(?:\s*[a-z]+))["']?\s*)?\)/i.exec(context.rest);
  if (name === undefined || call === null) return null;
  const [all, length] = call;
  if ((length !== undefined) !== /^ago\s*$/i.test(name)) return null;
  const text = length === undefined ? 'now' : `now - ${boundOf(length)}`;
  // After `==` it would be an ordinary string.
  if (/[=!]=\s*$/.test(context.before.slice(0, -name.length)))
    return { hint: 'Use now after an ordering: Created < now.' };
  const hint = `Write now without parentheses: ${text}.`;
  return rewrite(context, hint, text, name.length, all.length);
};

const orderingWords: readonly (readonly [words: RegExp, sign: string])[] = [
  [/^(?:greater|more|larger)\s+(?:than\s+)?or\s+equals?(?:\s+to)?\b|^(?:at\s+least|gte|ge)\b/i, '>='],
  [/^(?:less|smaller)\s+(?:than\s+)?or\s+equals?(?:\s+to)?\b|^(?:at\s+most|lte|le)\b/i, '<='],
  [/^(?:greater|more|larger|newer|later)\s+than\b|^(?:after|above|gt)\b/i, '>'],
  [/^(?:less|smaller|older|earlier)\s+than\b|^(?:before|below|lt)\b/i, '<'],
];

/** `Priority is greater than 5`, `Priority gte 5`. */
const orderingInWords: HintRule = (context) => {
  if (context.level === 0 || !expects(context, 'operator', 'property', 'comparator')) return null;
  const is = /^is\s+/i.exec(context.rest)?.[0] ?? '';
  const lead = expects(context, 'property') ? (/\bis\s+$/i.exec(context.before)?.[0] ?? '') : '';
  const rest = context.rest.slice(is.length);
  const known = orderingWords.find(([words]) => words.test(rest));
  if (known === undefined) return null;
  const [words, sign] = known;
  const endOffset = is.length + (words.exec(rest)?.[0].length ?? 0);
  return rewrite(context, `Write this as ${sign}.`, sign, lead.length, endOffset);
};

/** `Name like 'web%'`, `Name like web%`. */
const likeText: HintRule = (context) => {
  if (context.level === 0) return null;
  const hint = 'Use double quotes; * matches any characters.';
  if (expects(context, ...afterOperand)) {
    const head = /\blike\s+([\w.-]+)$/.exec(context.before)?.[1];
    const tail = /^%[\w.%-]*/.exec(context.rest)?.[0];
    if (head === undefined || tail === undefined) return null;
    return rewrite(context, hint, quoteText(globOf(head + tail)), head.length, tail.length);
  }
  const text = /^(?:'([^'\n]*)'|(%[\w.%-]*))/.exec(context.rest);
  if (text === null || !expects(context, 'value') || !/\blike\s*$/.test(context.before)) return null;
  return replaceHere(context, text[0].length, quoteText(globOf(text[1] ?? text[2] ?? '')), hint);
};

/** `Status in ['running', 'dead']`. */
const listedText: HintRule = (context) => {
  const text = /^'[^'\n]*'/.exec(context.rest)?.[0];
  if (text === undefined || !expects(context, 'listStart', 'listEnd', 'value')) return null;
  if (!/\bin\s*\[[^\]]*$/.test(context.before)) return null;
  const close = context.rest.indexOf(']');
  const inside = context.rest.slice(0, close === -1 ? text.length : close);
  const corrected = inside.replace(/'[^'\n]*'/g, (each) => quoteText(each.slice(1, -1)));
  return replaceHere(context, inside.length, corrected, 'Use double quotes.');
};

export const levelOneForms: readonly HintRule[] = [
  reversedSign,
  betweenBounds,
  spacedUnit,
  calledClock,
  orderingInWords,
  likeText,
  listedText,
];
