import { expects, guesses, maxLookahead, replace, replaceHere, type HintRule } from './hint.js';

// Characters and escapes that are invalid in double quotes.

export const escape: HintRule = (context) => {
  if (!expects(context, 'escape')) return null;
  const { start, end } = context.failure.span;
  const written = context.source.slice(start, end);
  const literal = literalAround(context.source, start);
  return {
    label: `${written} is not an escape sequence`,
    hint: `Write \\${written} for the text ${written}, or put the whole value in backticks.`,
    suggestions:
      literal === null
        ? // The other escapes of the literal may be intended or not.
          guesses(replace('double the backslash', start, start + 1, '\\\\'))
        : replace('put the value in backticks', literal.start, literal.end, `\`${literal.body}\``),
  };
};

/**
 * Returns the literal around an invalid escape, if it can be put in backticks, where it has no escapes and the intended meaning.
 */
function literalAround(source: string, at: number): { start: number; end: number; body: string } | null {
  const start = source.lastIndexOf('"', at);
  const end = source.indexOf('"', at) + 1;
  if (start === -1 || end === 0 || end - start > maxLookahead) return null;
  const body = source.slice(start + 1, end - 1);
  return /[`\n]|\\[abfnrtvxuU\\"0-7]|\\$/.test(body) ? null : { start, end, body };
}

export const escapedQuote: HintRule = (context) => {
  if (!expects(context, 'escapedQuote')) return null;
  return replaceHere(
    context,
    2,
    '\\x22',
    'go-bexpr ends a string at any quote: write \\x22, or use backticks.',
  );
};

export const lineBreak: HintRule = (context) => {
  return expects(context, 'newline')
    ? { hint: 'Write \\n, or use backticks for a string of several lines.' }
    : null;
};
