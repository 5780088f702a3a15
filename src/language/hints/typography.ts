import { expects, replaceHere, replace, afterOperand, type HintRule } from './hint.js';

// Typographic characters that word processors, web pages and other keyboards insert instead of plain ones.

// The rule for quotes handles full-width quotes, because it must find both of a pair.
const fullWidth = /^[\uff01\uff03-\uff06\uff08-\uff5e]+/;

/** `（Ｓｔａｔｕｓ＝＝”ｘ”）`: full-width characters. */
const wideCharacters: HintRule = (context) => {
  const run = fullWidth.exec(context.rest)?.[0];
  if (run === undefined) return null;
  const narrow = run.replace(/[\uff01-\uff5e]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xff01 + 0x21),
  );
  return replaceHere(context, run.length, narrow, 'These are full-width characters; use ASCII characters.');
};

const symbols: ReadonlyMap<string, string> = new Map([
  ['≠', '!='],
  ['≡', '=='],
  ['＝', '=='],
  ['∧', 'and'],
  ['∨', 'or'],
  ['¬', 'not '],
  ['∈', 'in'],
  ['∉', 'not in'],
  ['∋', 'contains'],
]);

/** `≠`, `∧`: mathematical signs. */
const mathematics: HintRule = (context) => {
  const sign = context.rest.charAt(0);
  const word = symbols.get(sign);
  if (word === undefined || !expects(context, 'operator', 'operand', 'membership', ...afterOperand))
    return null;
  const before = /\w$/.test(context.before) && /^[a-z]/.test(word) ? ' ' : '';
  const after = /^\w/.test(context.rest.slice(1)) && /[a-z]$/.test(word) ? ' ' : '';
  return replaceHere(context, sign.length, `${before}${word}${after}`, `Write this as ${word.trim()}.`);
};

/** An invisible character: zero-width ones are removed, others become a space. */
const invisible: HintRule = (context) => {
  // The two words of an operator are not recognised if an invisible character is between them.
  const [, lead = '', run] =
    /^((?:starts|ends)(?=\P{L}+with)[ \t\r\n]*)?((?:(?![ \t\r\n])[\p{C}\p{Z}])+)/u.exec(context.rest) ?? [];
  if (run === undefined) return null;
  const hint = 'There is an invisible character here. Separate words with spaces, tabs or line breaks.';
  const hasWidth = /\p{Z}/u.test(run);
  if (hasWidth) return replaceHere(context, lead.length + run.length, `${lead} `, hint);
  const start = context.failure.span.start + lead.length;
  return { hint, suggestions: replace('leave it out', start, start + run.length, '') };
};

/** `Priority == −5`: a minus sign or a dash instead of a hyphen. */
const minus: HintRule = (context) => {
  if (!expects(context, 'value') || !/^[‐‑‒–—−]\d/.test(context.rest)) return null;
  return replaceHere(context, 1, '-', 'Use a plain hyphen as the minus sign.');
};

/** `Name == \"web\"`: quotes escaped for a shell or a string literal that no longer encloses the filter. */
const escapedDelimiter: HintRule = (context) => {
  const literal = /^\\(["'`])((?:(?!\\\1)[^\n])*)\\\1/.exec(context.rest);
  if (literal === null || expects(context, 'escapedQuote')) return null;
  const text = `"${literal[2] ?? ''}"`;
  return replaceHere(context, literal[0].length, text, 'Write the quotes without a backslash.');
};

const entities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['#34', '"'],
  ['#39', "'"],
  ['apos', "'"],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['nbsp', ' '],
]);

/** `Name == &quot;web&quot;`: source copied from HTML. */
const entity: HintRule = (context) => {
  const known = /^(?:&(?:quot|#34|#39|apos|amp|lt|gt|nbsp);)/;
  if (!known.test(context.rest) || context.rest.length > 1_000) return null;
  const decoded = context.rest.replace(
    /&(quot|#34|#39|apos|amp|lt|gt|nbsp);/g,
    (all, name: string) => entities.get(name) ?? all,
  );
  const { start } = context.failure.span;
  return {
    hint: 'This filter is HTML-escaped: &quot; is a quote, &amp; an ampersand.',
    isSweeping: true,
    suggestions: replace('undo the escaping', start, context.source.length, decoded),
  };
};

/** `Status%20%3D%3D%20x`: source copied from a URL. */
const percentEscape: HintRule = (context) => {
  if (!/^%[0-9a-f]{2}/i.test(context.rest) || context.source.length > 1_000) return null;
  if (!/^[^\s"`]*$/.test(context.source)) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(context.source.replaceAll('+', ' '));
  } catch {
    return null;
  }
  return {
    hint: 'This filter is URL-encoded; decode it first.',
    isSweeping: true,
    suggestions: replace('undo the escaping', 0, context.source.length, decoded),
  };
};

export const typography: readonly HintRule[] = [
  invisible,
  wideCharacters,
  mathematics,
  minus,
  escapedDelimiter,
  entity,
  percentEscape,
];
