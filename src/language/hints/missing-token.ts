import {
  afterOperand,
  expects,
  gapBefore,
  guess,
  replaceHere,
  maxRestLength,
  replace,
  rewrite,
  type HintRule,
} from './hint.js';
import { beforeValue } from './operator-spelling.js';

// Hints for unfinished or missing tokens.

const unopenedText = new RegExp(String.raw`${beforeValue}\s*([^\s"'\x60=!(){}][^"'\x60=!(){}]*)$`);

/** `Status == running"`: a literal without its opening quote. */
const openingQuote: HintRule = (context) => {
  if (
    !expects(context, ...afterOperand, 'numberEnd') ||
    !/^["'`”](?:\s*(?:$|[)}])|\s+(?:and|or)\b)/.test(context.rest)
  )
    return null;
  const words = unopenedText.exec(context.before)?.[1];
  if (words === undefined || / (?:and|or) /.test(words)) return null;
  const text = `"${words}"`;
  return rewrite(context, `Put quotes on both sides: ${text}.`, text, words.length, 1);
};

/** Rule for a literal without its closing quote, which belongs after its first word or at the end. */
const quote: HintRule = (context) => {
  if (!expects(context, 'quote', 'value', 'key', 'operand') || !/^["`]/.test(context.rest)) return null;
  const mark = context.rest.charAt(0);
  if (context.rest.indexOf(mark, 1) !== -1 && !expects(context, 'quote')) return null;
  const { start } = context.failure.span;
  const isKey = /\[\s*$/.test(context.before);
  const body = context.source.slice(start + 1);
  const hint = `Close the quote with ${mark}.`;
  if (body.length > maxRestLength) return { hint };
  const words = isKey
    ? /^[^\s\]=!"`]+(?=\s*\])|^[\w\-.:/]+/.exec(body)?.[0]
    : /^[^"`\n]*?(?=\s+(?:and|or)\b|\s*[)}\]]|\s*$)/.exec(body)?.[0];
  if (words === undefined || words === '') return { hint };
  const end = start + 1 + words.length;
  const closing = isKey && !/^\s*\]/.test(context.source.slice(end)) ? `${mark}]` : mark;
  return { hint, suggestions: replace(`close the quote: ${mark}${words}${closing}`, end, end, closing) };
};

const bracket: HintRule = (context) => {
  const isOpenList = expects(context, 'listEnd', 'listStart') && context.rest === '';
  if (!isOpenList && !expects(context, 'bracket')) return null;
  const at = context.failure.span.start - gapBefore(context);
  const hint = isOpenList ? 'The list is not closed; add ].' : 'The key is not closed; add ].';
  return expects(context, 'listStart') ? { hint } : { hint, suggestions: replace('insert ]', at, at, ']') };
};

const brace: HintRule = (context) => {
  if (!expects(context, 'bodyEnd') || context.rest !== '') return null;
  return replaceHere(context, 0, ' }', 'The braces are not closed; add }.');
};

/** `a == 1 and`, `and a == 1`, `a == 1 and and b == 2`. */
const danglingWord: HintRule = (context) => {
  const hint = 'A comparison is missing next to this word.';
  const isOpen =
    expects(context, 'operand') || (expects(context, 'operator') && /\bnot\s*$/.test(context.before));
  if (isOpen && /^(?:$|[)}])/.test(context.rest)) {
    const word = /\s*\b(?:and|or|not)(?:\s+not)?\s*$/.exec(context.before);
    if (word !== null && /\S/.test(context.before.slice(0, word.index))) {
      // Uncertain, because the user may have intended to continue.
      return guess(rewrite(context, hint, '', word[0].length, 0));
    }
  }
  if (!expects(context, 'operator')) return null;
  const word = /(?:^|\(|\{|\b(?:and|or)\b)\s*((?:and|or)\s+)$/.exec(context.before)?.[1];
  if (word === undefined) return null;
  // Uncertain, because a comparison may be missing before the word.
  return guess(rewrite(context, hint, '', word.length, 0));
};

const wordAfterOperator = new RegExp(String.raw`${beforeValue}\s*([a-zA-Z][\w/.]*(?:\s+))$`);

/** `Status == in progress`: an unquoted string of several words. */
const severalWords: HintRule = (context) => {
  if (!expects(context, ...afterOperand) || context.rest.length > maxRestLength) return null;
  const head = wordAfterOperator.exec(context.before)?.[1];
  const tail = /^[\w/.-]+(?:[ \t]+(?!(?:and|or)\b)[\w/.-]+)*(?=\s*(?:$|[)}]|\b(?:and|or)\b))/.exec(
    context.rest,
  )?.[0];
  if (head === undefined || tail === undefined) return null;
  const text = `"${head}${tail}"`;
  const hint = `Put a value of several words in quotes: ${text}.`;
  return rewrite(context, hint, text, head.length, tail.length);
};

/** `"say "hi""`: quotes within quotes. */
const innerQuotes: HintRule = (context) => {
  if (!expects(context, ...afterOperand) || !/"$/.test(context.before) || !/^[^\s"`(){}]/.test(context.rest))
    return null;
  if (context.rest.length > maxRestLength) return null;
  const doubled = /^([^\s"`(){}][^"\n]*)""/.exec(context.rest)?.[1];
  if (doubled !== undefined && /(?:[^"]|^)""$/.test(context.before)) {
    const text = `"${doubled}"`;
    return rewrite(context, `Use one quote on each side: ${text}.`, text, 2, doubled.length + 2);
  }
  const open = /"[^"]*"$/.exec(context.before)?.[0] ?? '';
  const tail = /^[^"`\n]*"[^"`\n]*"?(?=\s*(?:$|[)}]|\b(?:and|or)\b))/.exec(context.rest)?.[0];
  const hint = 'Put a value that contains a quote in backticks, or escape the quote: \\".';
  if (tail === undefined || open === '') return { hint };
  const whole = open + tail;
  if (!whole.endsWith('"') || whole.includes('\\')) return { hint };
  return rewrite(context, hint, `\`${whole.slice(1, -1)}\``, open.length, tail.length);
};

const emptyGroup: HintRule = (context) => {
  if (!expects(context, 'operand') || !/^[)}]/.test(context.rest) || !/[({]\s*$/.test(context.before))
    return null;
  return { hint: 'Write a comparison here, such as Name == "x".' };
};

const noValue: HintRule = (context) => {
  if (!expects(context, 'value') || !/^(?:$|[)}]|[^\w"'`\s]+(?:$|[\s)}])|(?:and|or)\b)/.test(context.rest))
    return null;
  return { hint: 'Write a value here: a quoted string, a number, true or false. "" is the empty string.' };
};

const noField: HintRule = (context) => {
  if (!expects(context, 'operand') || !/^[=!<>]/.test(context.rest)) return null;
  return { hint: 'Write a field name first: Status == "running".' };
};

/** Fallback rules, for when no other applies. */
export const missingTokens: readonly HintRule[] = [
  openingQuote,
  quote,
  bracket,
  brace,
  danglingWord,
  severalWords,
  innerQuotes,
  emptyGroup,
  noValue,
  noField,
];
