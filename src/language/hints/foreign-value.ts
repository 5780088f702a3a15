import { afterOperand, expects, guesses, replaceHere, maxLookahead, replace, type HintRule } from './hint.js';
import { globTest, globToPattern, quotePattern } from './glob.js';
import { quoteText, readSlashed } from './loose-syntax.js';
import { operatorPattern } from './operator-spelling.js';

// Values that are not written as the language writes them.

/** Matches opening quotes of other programs and languages, and their closing quotes. */
const foreignLiteral =
  /^(?:'((?:[^'\\\n]|\\.|'')*)'|[“”„«»″＂]([^“”»«″＂"\n]*)[“”»«″＂"]|[‘’‚‹›´′＇]([^‘’‹›´′＇'\n]*)[‘’‹›´′＇']|"([^"“”\n]*)[“”])/;

export const foreignQuotes: HintRule = (context) => {
  const literal = foreignLiteral.exec(context.rest);
  if (literal === null) return null;
  const isExpected = expects(context, 'value', 'operand', 'container', 'key', 'selector', 'quote');
  if (!isExpected) return null;
  const hint = 'Use straight double quotes or backticks.';
  const [, single, double, other, half] = literal;
  const body = (single?.replace(/''|\\'/g, "'") ?? double ?? other ?? half ?? '').replace(
    /^[\u00a0\u202f]+|[\u00a0\u202f]+$/gu,
    '',
  );
  // French typography puts spaces inside quotes.
  const trimmed = /^[«»]/.test(literal[0]) ? body.trim() : body;
  if (/["\\]/.test(trimmed) && trimmed.includes('`')) return { hint };
  return replaceHere(
    context,
    literal[0].length,
    /["\\]/.test(trimmed) ? `\`${trimmed}\`` : `"${trimmed}"`,
    hint,
  );
};

/** `?`, `$status`, `:status`, `{{status}}`: placeholders for values. */
export const placeholder: HintRule = (context) => {
  if (!expects(context, 'value')) return null;
  const written =
    /^(?:\?\w*|\$\w+|\$?\{\{?[^{}\n]*\}\}?|:[a-zA-Z]\w*|%(?:s|d|v|\(\w+\)s)|<[a-zA-Z][\w -]*>)(?=\s|[)}]|$)/.exec(
      context.rest,
    )?.[0];
  if (written === undefined) return null;
  return {
    hint: `${written} looks like a placeholder. Filters have no placeholders; write the value itself.`,
  };
};

const operatorAtEnd = new RegExp(String.raw`(${operatorPattern})\s*$`);

/** `Name matches /^web/`: a regular expression between slashes. */
export const slashedPattern: HintRule = (context) => {
  if (!expects(context, 'value')) return null;
  const slashed = readSlashed(context.rest);
  const operator = operatorAtEnd.exec(context.before);
  if (slashed === null || operator === null) return null;
  const isPattern = operator[1]?.endsWith('matches') === true;
  // A path such as `/srv/data/` contains none of these characters, so it is not a pattern.
  const isPlain = !isPattern && !/[\\^$*+?()[\]{}|]/.test(slashed.pattern);
  if (isPlain && slashed.pattern.includes('/')) return null;
  const path = isPlain ? context.rest.slice(0, slashed.length) : null;
  const { start } = context.failure.span;
  const not = /^(?:!|not)/.test(operator[1] ?? '') ? 'not ' : '';
  const gap = isPattern || /\s$/.test(context.before.slice(0, operator.index)) ? '' : ' ';
  const text = `${gap}${not}matches ${quotePattern(slashed.pattern)}`;
  return {
    hint: `Write the pattern in quotes after matches: ${text.trim()}.`,
    suggestions: [
      ...(path === null
        ? []
        : replace(`write ${quoteText(path)}`, start, start + path.length, quoteText(path))),
      ...replace(`write ${text.trim()}`, start - operator[0].length, start + slashed.length, text),
    ],
  };
};

/** `Name matches ^web-[0-9]+$`: a pattern without quotes. */
export const unquotedPattern: HintRule = (context) => {
  const afterMatches = /\bmatches\s+(\S*)$/.exec(context.before);
  if (afterMatches === null || !expects(context, ...afterOperand, 'value', 'numberEnd')) return null;
  const head = afterMatches[1] ?? '';
  const run = /^[^\s"'`]+/.exec(context.rest)?.[0] ?? '';
  const tail = withoutClosers(head + run).slice(head.length);
  if (tail === '' || /["'`]/.test(head) || run.length > maxLookahead) return null;
  const text = head + tail;
  const quoted = quotePattern(globToPattern(text) ?? text);
  const { start } = context.failure.span;
  return {
    hint: `Write the pattern in quotes: ${quoted}.`,
    suggestions: replace('put the pattern in quotes', start - head.length, start + tail.length, quoted),
  };
};

/** Returns a string without the unmatched closing brackets at its end. */
function withoutClosers(text: string): string {
  let cached = text.replace(/[,;]+$/, '');
  for (const [open, close] of ['()', '{}', '[]'].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)) {
    while (cached.endsWith(close) && cached.split(close).length > cached.split(open).length)
      cached = cached.slice(0, -1);
  }
  return cached;
}

/** `dc-1`, `10.0.0.1`, `/srv/data`: a value with characters that need quotes. */
export const unquotedValue: HintRule = (context) => {
  if (!expects(context, ...afterOperand, 'numberEnd', 'value')) return null;
  const goesOn = expects(context, ...afterOperand);
  const head = goesOn ? (/[^\s"`'(){}=!&|,]+$/.exec(context.before)?.[0] ?? '') : '';
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(head + context.rest.slice(0, maxLookahead));
  const run = (isAddress ? /^[^\s"`']+/ : /^[^\s"`'(){}[\]=!&|,;]+/).exec(context.rest)?.[0] ?? '';
  const tail = isAddress ? withoutClosers(run) : run;
  if (tail === '' || (goesOn && head === '') || head.length + tail.length >= maxLookahead) return null;
  const { start } = context.failure.span;
  const text = head + tail;
  if (/^[-+*/\\.%^~#@:]$/.test(text)) return null;
  const readings = readingsOf(text, context.before.slice(0, context.before.length - head.length));
  return {
    hint: (cached) =>
      `Only a plain name or a number can be written without quotes: write ${cached.map(({ replacement }) => replacement).join(' or ') || readings[0]}.`,
    suggestions: readings.flatMap((each) => {
      const suggestion = replace(`write ${each}`, start - head.length, start + tail.length, each);
      return text.endsWith('%') ? guesses(suggestion) : suggestion;
    }),
  };
};

/** Returns the possible meanings of an unquoted string, most likely first. */
function readingsOf(text: string, before: string): readonly string[] {
  const literal = quoteText(text);
  const isEquality = /[=!]=\s*$/.test(before);
  const digits = /^-?[0-9][0-9_]*(?:_[0-9]+)+$/.test(text) ? text.replaceAll('_', '') : null;
  if (digits !== null) return [digits, literal];
  if (/^[+]?[0-9]+(?:[.,][0-9]+)?%?$/.test(text) && /[%+]/.test(text))
    return [literal, text.replace(/[+%]/g, '').replace(',', '.')];
  if (isEquality && /^0x[0-9a-f]+$/i.test(text) && Number.isSafeInteger(Number(text)))
    return [String(Number(text)), literal];
  if (isEquality && /^[-+]?(?:(?!0[0-9])[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/i.test(text)) {
    const number = String(Number(text));
    return /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(number) ? [number, literal] : [literal];
  }
  const plain = text.replace(/[‐‑‒–—−]/g, '-');
  return plain === text ? [literal] : [quoteText(plain), literal];
}

/** `Name == web*`: outside of patterns a star is a literal character. */
export const wildcard: HintRule = (context) => {
  if (!expects(context, ...afterOperand, 'value')) return null;
  const found = /([=!]=)\s*([^\s"`'(){}=!&|,]*)$/.exec(context.before);
  const tail = /^[^\s"`'(){}[\]=!&|,;]+/.exec(context.rest)?.[0] ?? '';
  const text = (found?.[2] ?? '') + tail;
  const globPattern = globTest('whole', { text, ignoreCase: false }, context.level);
  if (found === null || globPattern === null) return null;
  const { start } = context.failure.span;
  const from = start - found[0].length;
  const test = `${found[1] === '!=' ? 'not ' : ''}${globPattern}`;
  const gap = /\w$/.test(context.source.slice(0, from)) ? ' ' : '';
  return {
    hint: `== compares the whole string; to match a pattern, use ${test}; for a literal star, write ${quoteText(text)}.`,
    suggestions: [
      ...replace(`write ${test}`, from, start + tail.length, gap + test),
      ...replace(
        `write ${quoteText(text)}`,
        start - (found[2] ?? '').length,
        start + tail.length,
        quoteText(text),
      ),
    ],
  };
};
