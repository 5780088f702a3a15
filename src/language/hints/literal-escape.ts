import { expects, guesses, longestLook, replace, replaceHere, type HintRule } from './hint.js';

// What cannot stand in double quotes.

export const escape: HintRule = (context) => {
  if (!expects(context, 'escape')) return null;
  const { start, end } = context.failure.span;
  const written = context.source.slice(start, end);
  const literal = literalAround(context.source, start);
  return {
    label: `${written} is no escape`,
    hint: `Write \\${written} for the text ${written}, or put the whole value in backticks.`,
    suggestions:
      literal === null
        ? // Whether the other escapes of the text were meant as such, nobody can tell.
          guesses(replace('double the backslash', start, start + 1, '\\\\'))
        : replace('put the value in backticks', literal.start, literal.end, `\`${literal.body}\``),
  };
};

/** The literal that a wrong escape stands in, where it would mean what it says in backticks: nothing in it is an escape. */
function literalAround(source: string, at: number): { start: number; end: number; body: string } | null {
  const start = source.lastIndexOf('"', at);
  const end = source.indexOf('"', at) + 1;
  if (start === -1 || end === 0 || end - start > longestLook) return null;
  const body = source.slice(start + 1, end - 1);
  return /[`\n]|\\[abfnrtvxuU\\"0-7]|\\$/.test(body) ? null : { start, end, body };
}

export const escapedQuote: HintRule = (context) => {
  if (!expects(context, 'escapedQuote')) return null;
  return replaceHere(
    context,
    2,
    '\\x22',
    'go-bexpr ends the text at any quote: write \\x22 for one, or use backticks.',
  );
};

export const lineBreak: HintRule = (context) => {
  return expects(context, 'newline')
    ? { hint: 'Write \\n, or use backticks for text of several lines.' }
    : null;
};
