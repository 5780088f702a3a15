import { suggestNames } from '../diagnostics/suggest.js';
import {
  afterOperand,
  expects,
  instead,
  longestLook,
  replace,
  type Advice,
  type HintRule,
} from './advice.js';
import { borrowings, lateBorrowings } from './borrowings.js';
import { type ExpectationName, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import { globToPattern, quotePattern } from './glob.js';
import { isPointer } from './literal.js';
import { omissions } from './omissions.js';

/** What the first rule that knows better says about a refusal; null when none does. */
export function advise(source: string, failure: Failure): Advice | null {
  const { start } = failure.span;
  const before = source.slice(Math.max(0, start - longestLook), start);
  const scene = { source, failure, rest: source.slice(start), before };
  for (const rule of rules) {
    const advice = rule(scene);
    if (advice !== null) return advice;
  }
  return null;
}

const collectionHead: readonly ExpectationName[] = [
  'as',
  'binding',
  'bindingComma',
  'bindingName',
  'bindingEnd',
];

// ---- Operators from elsewhere ----

const equality: HintRule = (scene) => {
  const hint = 'Equality is written ==.';
  if (expects(scene, 'operator') && /^=(?![=~])/.test(scene.rest)) return instead(scene, 1, '==', hint);
  if (expects(scene, 'value') && /^=/.test(scene.rest)) return instead(scene, 1, '', hint);
  const is = /\bis\s+$/.exec(scene.before);
  if (is === null || !expects(scene, 'property') || !/^["`0-9-]/.test(scene.rest)) return null;
  const start = scene.failure.span.start - is[0].length;
  return { hint, suggestions: replace('write == instead of is', start, start + 2, '==') };
};

const inequality: HintRule = (scene) => {
  const not = /\bnot\s*$/.exec(scene.before);
  if (not === null || !expects(scene, 'negatable') || !/^==?/.test(scene.rest)) return null;
  const start = scene.failure.span.start - not[0].length;
  const end = scene.failure.span.start + (/^==?/.exec(scene.rest)?.[0].length ?? 0);
  return { hint: 'Inequality is written !=.', suggestions: replace('write != instead', start, end, '!=') };
};

const ordering: HintRule = (scene) => {
  if (!expects(scene, 'operator') || !/^[<>]/.test(scene.rest)) return null;
  if (/^<>(?![=<>])/.test(scene.rest)) return instead(scene, 2, '!=', 'Inequality is written !=.');
  return { hint: 'Values have no order here: there are ==, !=, in, contains, matches and is.' };
};

const nothing: HintRule = (scene) => {
  const word = /^(?:null|none|undefined)\b/i.exec(scene.rest)?.[0];
  if (word === undefined || !expects(scene, 'property', 'negatedProperty')) return null;
  return instead(scene, word.length, 'nil', 'The absence of a value is called nil.');
};

const connective: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand)) return null;
  const sign = /^(?:&&?|\|\|?|,|;|(?:AND|And|OR|Or)(?![a-zA-Z0-9_/]))/.exec(scene.rest)?.[0];
  if (sign === undefined) return null;
  const hint = 'Comparisons are joined by "and" and "or", in lower case.';
  if (/^[,;]\s*$/.test(scene.rest))
    return instead(scene, scene.rest.length, '', 'Nothing stands behind a filter.');
  const word = /^[|o]/i.test(sign) ? 'or' : 'and';
  const before = /\w$/.test(scene.before) ? ' ' : '';
  const after = /\w/.test(scene.rest.charAt(sign.length)) ? ' ' : '';
  return instead(scene, sign.length, `${before}${word}${after}`, hint);
};

const exclamation: HintRule = (scene) => {
  if (!expects(scene, 'operand') || !/^!(?!=)/.test(scene.rest)) return null;
  return instead(scene, 1, 'not ', 'Negation is written not.');
};

const misspeltWord: HintRule = (scene) => {
  const written = /^[a-zA-Z]+/.exec(scene.rest)?.[0];
  const words = expectations[scene.failure.expected].keywords;
  // An exclusive or is no `or`.
  if (written === undefined || words.length === 0 || /^xor$/i.test(written)) return null;
  const [word] = suggestNames(written, words, 1);
  return word === undefined ? null : instead(scene, written.length, word, `Did you mean ${word}?`);
};

const invisible: HintRule = (scene) => {
  const character = /^(?![ \t\r\n])[\p{C}\p{Z}]/u.exec(scene.rest)?.[0];
  if (character === undefined) return null;
  const hint = 'Only spaces, tabs and line breaks stand between words; this is another, invisible character.';
  return instead(scene, character.length, ' ', hint);
};

// ---- Something missing ----

const fieldAlone: HintRule = (scene) => {
  if (!expects(scene, 'operator') || !/^(?:$|[)}&|]|(?:and|or)\b)/.test(scene.rest)) return null;
  const field = /[^\s({]+$/.exec(scene.before.trimEnd())?.[0] ?? '';
  if (field === '' || /^(?:and|or|not)$/.test(field)) return null;
  const { length: end } = scene.source.slice(0, scene.failure.span.start).trimEnd();
  return {
    hint: `A field alone is no filter. Compare it: ${field} == "…", or ${field} is not empty.`,
    suggestions: ['is not empty', '== true'].flatMap((test) =>
      replace(`write ${field} ${test}`, end, end, ` ${test}`),
    ),
  };
};

const startsComparison =
  /^(?:not\s|\(|"[^"\n]*"\s*(?:not\s+)?in\s|[a-zA-Z][\w/.]*\s*(?:[=!]=|\s(?:in|not|is|contains|matches)\s))/;

const missingConnective: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand) || !/\s$/.test(scene.before) || !/^["`(a-zA-Z]/.test(scene.rest))
    return null;
  const { start } = scene.failure.span;
  const words = startsComparison.test(scene.rest) ? ['and', 'or'] : [];
  return {
    hint: 'Two comparisons are joined by "and" or "or".',
    suggestions: words.flatMap((word) => replace(`insert ${word}`, start, start, `${word} `)),
  };
};

const parenthesis: HintRule = (scene) => {
  if (expects(scene, 'groupEnd') && scene.rest === '') {
    return instead(scene, 0, ')', 'A parenthesis is still open.');
  }
  if (!expects(scene, 'end') || !scene.rest.startsWith(')')) return null;
  return instead(scene, 1, '', 'This parenthesis was never opened.');
};

const collection: HintRule = (scene) => {
  return expects(scene, ...collectionHead)
    ? { hint: 'A collection is written: any Tags as t { t == "x" }.' }
    : null;
};

// ---- Values ----

const foreignQuotes: HintRule = (scene) => {
  const literal = /^(?:'([^'\n]*)'|[“”„«]([^“”»\n]*)[“”»]|[‘’‚]([^‘’\n]*)[‘’])/.exec(scene.rest);
  if (literal === null || !expects(scene, 'value', 'operand', 'container', 'key', 'selector')) return null;
  const hint = 'Text is written in straight double quotes or in backticks.';
  const body = literal[1] ?? literal[2] ?? literal[3] ?? '';
  if (/["\\]/.test(body) && body.includes('`')) return { hint };
  return instead(scene, literal[0].length, /["\\]/.test(body) ? `\`${body}\`` : `"${body}"`, hint);
};

/** `dc-1`, `10.0.0.1`, `/srv/data`: a value that begins or goes on with what cannot stand without quotes. */
const unquotedValue: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand, 'numberEnd', 'value')) return null;
  const goesOn = expects(scene, ...afterOperand);
  const head = goesOn ? (/[^\s"`'(){}=!&|,]+$/.exec(scene.before)?.[0] ?? '') : '';
  const tail = /^[^\s"`'(){}[\]=!&|,]+/.exec(scene.rest)?.[0] ?? '';
  if (tail === '' || (goesOn && head === '') || head.length + tail.length >= longestLook) return null;
  const { start } = scene.failure.span;
  const text = head + tail;
  // In double quotes go-bexpr would read a path as a pointer, and see escapes.
  const literal = isPointer(text) || text.includes('\\') ? `\`${text}\`` : `"${text}"`;
  const isPattern = /\bmatches\s*$/.test(scene.before.slice(0, scene.before.length - head.length));
  const pattern = isPattern ? globToPattern(text) : null;
  const quoted = pattern === null ? literal : quotePattern(pattern);
  return {
    hint: `Only a plain name or number goes without quotes: write ${quoted}.`,
    suggestions: replace('put the value in quotes', start - head.length, start + tail.length, quoted),
  };
};

const literalContainer: HintRule = (scene) => {
  if (!expects(scene, 'container') || !/^["`\d-]/.test(scene.rest)) return null;
  return { hint: 'Behind in stands a field, and before it the value to look for: "x" in Tags.' };
};

const valueFirst: HintRule = (scene) => {
  const operator = /^([=!]=)\s*([a-zA-Z][a-zA-Z0-9_/.]*)/.exec(scene.rest);
  if (!expects(scene, 'membership') || operator === null) return null;
  const value = /("[^"]*"|`[^`]*`|-?[0-9][0-9.]*)\s*$/.exec(scene.before);
  const swapped = `${operator[2] ?? ''} ${operator[1] ?? ''} ${value?.[1] ?? '"…"'}`;
  const { start } = scene.failure.span;
  const title = 'put the field first';
  return {
    hint: `The field comes first: ${swapped}.`,
    suggestions:
      value === null ? [] : replace(title, start - value[0].length, start + operator[0].length, swapped),
  };
};

const index: HintRule = (scene) => {
  if (!expects(scene, 'key')) return null;
  const digits = /^([0-9]+)\s*\]/.exec(scene.rest);
  const bracket = scene.source.lastIndexOf('[', scene.failure.span.start);
  if (digits !== null) {
    const end = scene.failure.span.start + digits[0].length;
    const part = `.${digits[1] ?? ''}`;
    return {
      hint: `The elements of a list are counted with a dot: write ${part}.`,
      suggestions: replace(`write ${part}`, bracket, end, part),
    };
  }
  const word = /^[^\s"`\]]+(?=\s*\])/.exec(scene.rest)?.[0];
  const hint = 'A key in brackets is written in quotes.';
  return word === undefined ? { hint } : instead(scene, word.length, `"${word}"`, hint);
};

const escape: HintRule = (scene) => {
  if (!expects(scene, 'escape')) return null;
  const { start, end } = scene.failure.span;
  const written = scene.source.slice(start, end);
  const literal = literalAround(scene.source, start);
  return {
    label: `${written} is no escape`,
    hint: `Write \\${written} for the text ${written}, or put the whole value in backticks.`,
    suggestions:
      literal === null
        ? replace('double the backslash', start, start + 1, '\\\\')
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

const escapedQuote: HintRule = (scene) => {
  if (!expects(scene, 'escapedQuote')) return null;
  return instead(
    scene,
    2,
    '\\x22',
    'go-bexpr ends the text at any quote: write \\x22 for one, or use backticks.',
  );
};

const lineBreak: HintRule = (scene) => {
  return expects(scene, 'newline')
    ? { hint: 'Write \\n, or use backticks for text of several lines.' }
    : null;
};

/** The first rule that answers is heard, so the particular ones come first. */
const rules: readonly HintRule[] = [
  invisible,
  equality,
  inequality,
  ordering,
  ...borrowings,
  nothing,
  connective,
  exclamation,
  fieldAlone,
  misspeltWord,
  ...lateBorrowings,
  foreignQuotes,
  literalContainer,
  valueFirst,
  unquotedValue,
  ...omissions,
  missingConnective,
  parenthesis,
  collection,
  index,
  escape,
  escapedQuote,
  lineBreak,
];
