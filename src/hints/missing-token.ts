import { afterOperand, expects, guesses, replaceHere, longestRest, replace, type HintRule } from './hint.js';
import { beforeValue } from './operator-spelling.js';

// What was begun and not finished, or left out.

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
  const { start } = context.failure.span;
  const text = `"${words}"`;
  return {
    hint: `A text has quotes on both sides: ${text}.`,
    suggestions: replace(`write ${text}`, start - words.length, start + 1, text),
  };
};

/** A literal without its closing quote: closed behind its first word, or at the end. */
const quote: HintRule = (context) => {
  if (!expects(context, 'quote', 'value', 'key', 'operand') || !/^["`]/.test(context.rest)) return null;
  const mark = context.rest.charAt(0);
  if (context.rest.indexOf(mark, 1) !== -1 && !expects(context, 'quote')) return null;
  const { start } = context.failure.span;
  const isKey = /\[\s*$/.test(context.before);
  const body = context.source.slice(start + 1);
  const hint = `A quote is closed by another ${mark}.`;
  if (body.length > longestRest) return { hint };
  const words = isKey
    ? /^[^\s\]=!"`]+(?=\s*\])|^[\w\-.:/]+/.exec(body)?.[0]
    : /^[^"`\n]*?(?=\s+(?:and|or)\b|\s*[)}\]]|\s*$)/.exec(body)?.[0];
  if (words === undefined || words === '') return { hint };
  const end = start + 1 + words.length;
  const closing = isKey && !/^\s*\]/.test(context.source.slice(end)) ? `${mark}]` : mark;
  return { hint, suggestions: replace(`close the quote: ${mark}${words}${closing}`, end, end, closing) };
};

const bracket: HintRule = (context) => {
  if (!expects(context, 'bracket')) return null;
  const { length } = context.before.trimEnd();
  const at = context.failure.span.start - (context.before.length - length);
  return { hint: 'A bracket is still open.', suggestions: replace('insert ]', at, at, ']') };
};

const brace: HintRule = (context) => {
  if (!expects(context, 'bodyEnd') || context.rest !== '') return null;
  return replaceHere(context, 0, ' }', 'A brace is still open.');
};

/** `a == 1 and`, `and a == 1`, `a == 1 and and b == 2`. */
const danglingWord: HintRule = (context) => {
  const { start } = context.failure.span;
  const hint = 'A comparison is missing beside this word.';
  const isOpen =
    expects(context, 'operand') || (expects(context, 'operator') && /\bnot\s*$/.test(context.before));
  if (isOpen && /^(?:$|[)}])/.test(context.rest)) {
    const word = /\s*\b(?:and|or|not)(?:\s+not)?\s*$/.exec(context.before);
    if (word !== null && /\S/.test(context.before.slice(0, word.index))) {
      const title = `leave out ${word[0].trim()}`;
      // Whoever wrote it was going to say more.
      return { hint, suggestions: guesses(replace(title, start - word[0].length, start, '')) };
    }
  }
  if (!expects(context, 'operator')) return null;
  const word = /(?:^|\(|\{|\b(?:and|or)\b)\s*((?:and|or)\s+)$/.exec(context.before)?.[1];
  if (word === undefined) return null;
  // Something may be missing in front of it.
  return { hint, suggestions: guesses(replace(`leave out ${word.trim()}`, start - word.length, start, '')) };
};

const wordBehindOperator = new RegExp(String.raw`${beforeValue}\s*([a-zA-Z][\w/.]*(?:\s+))$`);

/** `Status == in progress`: a text of several words. */
const severalWords: HintRule = (context) => {
  if (!expects(context, ...afterOperand) || context.rest.length > longestRest) return null;
  const head = wordBehindOperator.exec(context.before)?.[1];
  const tail = /^[\w/.-]+(?:[ \t]+(?!(?:and|or)\b)[\w/.-]+)*(?=\s*(?:$|[)}]|\b(?:and|or)\b))/.exec(
    context.rest,
  )?.[0];
  if (head === undefined || tail === undefined) return null;
  const { start } = context.failure.span;
  const text = `"${head}${tail}"`;
  return {
    hint: `Text of several words stands in quotes: ${text}.`,
    suggestions: replace(`write ${text}`, start - head.length, start + tail.length, text),
  };
};

/** `"say "hi""`: a quote inside of quotes. */
const innerQuotes: HintRule = (context) => {
  if (!expects(context, ...afterOperand) || !/"$/.test(context.before) || !/^[^\s"`(){}]/.test(context.rest))
    return null;
  if (context.rest.length > longestRest) return null;
  const doubled = /^([^\s"`(){}][^"\n]*)""/.exec(context.rest)?.[1];
  if (doubled !== undefined && /(?:[^"]|^)""$/.test(context.before)) {
    const { start } = context.failure.span;
    const text = `"${doubled}"`;
    const hint = `One quote stands on each side: ${text}.`;
    return { hint, suggestions: replace(`write ${text}`, start - 2, start + doubled.length + 2, text) };
  }
  const open = /"[^"]*"$/.exec(context.before)?.[0] ?? '';
  const tail = /^[^"`\n]*"[^"`\n]*"?(?=\s*(?:$|[)}]|\b(?:and|or)\b))/.exec(context.rest)?.[0];
  const hint = 'Text with a quote in it stands in backticks, or the quote is written \\".';
  if (tail === undefined || open === '') return { hint };
  const { start } = context.failure.span;
  const whole = open + tail;
  if (!whole.endsWith('"') || whole.includes('\\')) return { hint };
  const text = `\`${whole.slice(1, -1)}\``;
  return { hint, suggestions: replace(`write ${text}`, start - open.length, start + tail.length, text) };
};

const emptyGroup: HintRule = (context) => {
  if (!expects(context, 'operand') || !/^[)}]/.test(context.rest) || !/[({]\s*$/.test(context.before))
    return null;
  return { hint: 'A comparison belongs in here, such as Name == "x".' };
};

const noValue: HintRule = (context) => {
  if (!expects(context, 'value') || !/^(?:$|[)}]|[^\w"'`\s]+(?:$|[\s)}])|(?:and|or)\b)/.test(context.rest))
    return null;
  return { hint: 'A value belongs here: text in quotes, a number, true or false. "" is the empty text.' };
};

const noField: HintRule = (context) => {
  if (!expects(context, 'operand') || !/^[=!<>]/.test(context.rest)) return null;
  return { hint: 'The name of a field belongs in front: Status == "running".' };
};

/** Rules that answer where no other does. */
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
