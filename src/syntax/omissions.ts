import { afterOperand, expects, guesses, instead, longestRest, replace, type HintRule } from './advice.js';

// What was begun and not finished, or left out.

/** `Status == running"`: a literal without its opening quote. */
const openingQuote: HintRule = (scene) => {
  if (
    !expects(scene, ...afterOperand, 'numberEnd') ||
    !/^["'`”](?:\s*(?:$|[)}])|\s+(?:and|or)\b)/.test(scene.rest)
  )
    return null;
  const words = /(?:[=!]=|\b(?:contains|matches))\s*([^\s"'`=!(){}][^"'`=!(){}]*)$/.exec(scene.before)?.[1];
  if (words === undefined || / (?:and|or) /.test(words)) return null;
  const { start } = scene.failure.span;
  const text = `"${words}"`;
  return {
    hint: `A text has quotes on both sides: ${text}.`,
    suggestions: replace(`write ${text}`, start - words.length, start + 1, text),
  };
};

/** A literal without its closing quote: closed behind its first word, or at the end. */
const quote: HintRule = (scene) => {
  if (!expects(scene, 'quote', 'value', 'key', 'operand') || !/^["`]/.test(scene.rest)) return null;
  const mark = scene.rest.charAt(0);
  if (scene.rest.indexOf(mark, 1) !== -1 && !expects(scene, 'quote')) return null;
  const { start } = scene.failure.span;
  const isKey = /\[\s*$/.test(scene.before);
  const body = scene.source.slice(start + 1);
  const hint = `A quote is closed by another ${mark}.`;
  if (body.length > longestRest) return { hint };
  const words = isKey
    ? /^[^\s\]=!"`]+(?=\s*\])|^[\w\-.:/]+/.exec(body)?.[0]
    : /^[^"`\n]*?(?=\s+(?:and|or)\b|\s*[)}\]]|\s*$)/.exec(body)?.[0];
  if (words === undefined || words === '') return { hint };
  const end = start + 1 + words.length;
  const closing = isKey && !/^\s*\]/.test(scene.source.slice(end)) ? `${mark}]` : mark;
  return { hint, suggestions: replace(`close the quote: ${mark}${words}${closing}`, end, end, closing) };
};

const bracket: HintRule = (scene) => {
  if (!expects(scene, 'bracket')) return null;
  const { length } = scene.before.trimEnd();
  const at = scene.failure.span.start - (scene.before.length - length);
  return { hint: 'A bracket is still open.', suggestions: replace('insert ]', at, at, ']') };
};

const brace: HintRule = (scene) => {
  if (!expects(scene, 'bodyEnd') || scene.rest !== '') return null;
  return instead(scene, 0, ' }', 'A brace is still open.');
};

/** `a == 1 and`, `and a == 1`, `a == 1 and and b == 2`. */
const danglingWord: HintRule = (scene) => {
  const { start } = scene.failure.span;
  const hint = 'A comparison is missing beside this word.';
  const isOpen = expects(scene, 'operand') || (expects(scene, 'operator') && /\bnot\s*$/.test(scene.before));
  if (isOpen && /^(?:$|[)}])/.test(scene.rest)) {
    const word = /\s*\b(?:and|or|not)(?:\s+not)?\s*$/.exec(scene.before);
    if (word !== null && /\S/.test(scene.before.slice(0, word.index))) {
      const title = `leave out ${word[0].trim()}`;
      // Whoever wrote it was going to say more.
      return { hint, suggestions: guesses(replace(title, start - word[0].length, start, '')) };
    }
  }
  if (!expects(scene, 'operator')) return null;
  const word = /(?:^|\(|\{|\b(?:and|or)\b)\s*((?:and|or)\s+)$/.exec(scene.before)?.[1];
  if (word === undefined) return null;
  // Something may be missing in front of it.
  return { hint, suggestions: guesses(replace(`leave out ${word.trim()}`, start - word.length, start, '')) };
};

/** `Status == in progress`: a text of several words. */
const severalWords: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand) || scene.rest.length > longestRest) return null;
  const head = /(?:==|!=|\bcontains|\bmatches)\s*([a-zA-Z][\w/.]*(?:\s+))$/.exec(scene.before)?.[1];
  const tail = /^[\w/.-]+(?:[ \t]+(?!(?:and|or)\b)[\w/.-]+)*(?=\s*(?:$|[)}]|\b(?:and|or)\b))/.exec(
    scene.rest,
  )?.[0];
  if (head === undefined || tail === undefined) return null;
  const { start } = scene.failure.span;
  const text = `"${head}${tail}"`;
  return {
    hint: `Text of several words stands in quotes: ${text}.`,
    suggestions: replace(`write ${text}`, start - head.length, start + tail.length, text),
  };
};

/** `"say "hi""`: a quote inside of quotes. */
const innerQuotes: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand) || !/"$/.test(scene.before) || !/^[^\s"`(){}]/.test(scene.rest))
    return null;
  if (scene.rest.length > longestRest) return null;
  const doubled = /^([^\s"`(){}][^"\n]*)""/.exec(scene.rest)?.[1];
  if (doubled !== undefined && /(?:[^"]|^)""$/.test(scene.before)) {
    const { start } = scene.failure.span;
    const text = `"${doubled}"`;
    const hint = `One quote stands on each side: ${text}.`;
    return { hint, suggestions: replace(`write ${text}`, start - 2, start + doubled.length + 2, text) };
  }
  const open = /"[^"]*"$/.exec(scene.before)?.[0] ?? '';
  const tail = /^[^"`\n]*"[^"`\n]*"?(?=\s*(?:$|[)}]|\b(?:and|or)\b))/.exec(scene.rest)?.[0];
  const hint = 'Text with a quote in it stands in backticks, or the quote is written \\".';
  if (tail === undefined || open === '') return { hint };
  const { start } = scene.failure.span;
  const whole = open + tail;
  if (!whole.endsWith('"') || whole.includes('\\')) return { hint };
  const text = `\`${whole.slice(1, -1)}\``;
  return { hint, suggestions: replace(`write ${text}`, start - open.length, start + tail.length, text) };
};

const emptyGroup: HintRule = (scene) => {
  if (!expects(scene, 'operand') || !/^[)}]/.test(scene.rest) || !/[({]\s*$/.test(scene.before)) return null;
  return { hint: 'A comparison belongs in here, such as Name == "x".' };
};

const noValue: HintRule = (scene) => {
  if (!expects(scene, 'value') || !/^(?:$|[)}]|[^\w"'`\s]+(?:$|[\s)}])|(?:and|or)\b)/.test(scene.rest))
    return null;
  return { hint: 'A value belongs here: text in quotes, a number, true or false. "" is the empty text.' };
};

const noField: HintRule = (scene) => {
  if (!expects(scene, 'operand') || !/^[=!<>]/.test(scene.rest)) return null;
  return { hint: 'The name of a field belongs in front: Status == "running".' };
};

/** Rules that answer where no other does. */
export const omissions: readonly HintRule[] = [
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
