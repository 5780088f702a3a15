import type { Suggestion } from '../diagnostics/errors.js';
import { suggestNames } from '../diagnostics/suggest.js';
import { type ExpectationName, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import { isPointer } from './literal.js';

/** What a rule says; what it leaves out stays as it is. */
export interface Advice {
  readonly label?: string;
  readonly hint?: string;
  readonly suggestions?: readonly Suggestion[];
}

/** A refusal, seen from the place where it happened. */
interface Scene {
  readonly source: string;
  readonly failure: Failure;
  /** The source from the offending token on. */
  readonly rest: string;
  /** The end of the source before the offending token, at most {@link longestLook} of it. */
  readonly before: string;
}

/** How far a rule looks back: the patterns that end with `$` would take forever on a text of megabytes. */
const longestLook = 200;

/** Knows better what is wrong with a filter, or returns null. */
type HintRule = (scene: Scene) => Advice | null;

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

function replace(title: string, start: number, end: number, replacement: string): readonly Suggestion[] {
  return [{ title, span: { start, end }, replacement }];
}

/** The first `length` characters at the place replaced by something else. */
function instead({ failure, rest }: Scene, length: number, replacement: string, hint: string): Advice {
  const { start } = failure.span;
  const written = rest.slice(0, length);
  const title = titleOf(written, replacement);
  return { hint, suggestions: replace(title, start, start + length, replacement) };
}

function titleOf(written: string, replacement: string): string {
  if (written === '') return `insert ${replacement}`;
  if (replacement === '') return `leave out ${written}`;
  if (replacement === ' ') return 'write a space instead';
  return `write ${replacement.trimEnd()} instead of ${written}`;
}

function expects({ failure }: Scene, ...names: readonly ExpectationName[]): boolean {
  return names.includes(failure.expected);
}

const afterOperand: readonly ExpectationName[] = ['end', 'groupEnd', 'bodyEnd'];
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
  if (expects(scene, 'operator') && /^=(?!=)/.test(scene.rest)) return instead(scene, 1, '==', hint);
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
  return { hint: 'Values have no order here: there are ==, !=, in, contains, matches and is.' };
};

const pattern: HintRule = (scene) => {
  if (!expects(scene, 'operator', 'property')) return null;
  if (/^(?:starts|begins)/i.test(scene.rest)) {
    return { hint: 'A beginning is matched by a pattern: Name matches "^web".' };
  }
  if (/^ends/i.test(scene.rest)) return { hint: 'An end is matched by a pattern: Name matches "web$".' };
  if (!/^(?:like\b|=?~)/i.test(scene.rest)) return null;
  return { hint: 'Patterns are regular expressions behind matches: Name matches "^web".' };
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
  const word = /^[|o]/i.test(sign) ? 'or' : 'and';
  return instead(scene, sign.length, word, 'Comparisons are joined by "and" and "or", in lower case.');
};

const exclamation: HintRule = (scene) => {
  if (!expects(scene, 'operand') || !/^!(?!=)/.test(scene.rest)) return null;
  return instead(scene, 1, 'not ', 'Negation is written not.');
};

const misspeltWord: HintRule = (scene) => {
  const written = /^[a-zA-Z]+/.exec(scene.rest)?.[0];
  const words = expectations[scene.failure.expected].keywords;
  if (written === undefined || words.length === 0) return null;
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
  if (field === '') return null;
  return { hint: `A field alone is no filter. Compare it: ${field} == "…", or ${field} is not empty.` };
};

const missingConnective: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand) || !/\s$/.test(scene.before) || !/^["`(a-zA-Z]/.test(scene.rest))
    return null;
  return { hint: 'Two comparisons are joined by "and" or "or".' };
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

const singleQuotes: HintRule = (scene) => {
  const literal = /^(?:'([^'"\\\n]*)'|[“”„]([^“”"\\\n]*)[“”])/.exec(scene.rest);
  if (literal === null || !expects(scene, 'value', 'operand', 'container', 'key', 'selector')) return null;
  const hint = 'Text is written in straight double quotes or in backticks.';
  return instead(scene, literal[0].length, `"${literal[1] ?? literal[2] ?? ''}"`, hint);
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
  const quoted = isPointer(text) || text.includes('\\') ? `\`${text}\`` : `"${text}"`;
  return {
    hint: `Only a plain name or number goes without quotes: write ${quoted}.`,
    suggestions: replace('put the value in quotes', start - head.length, start + tail.length, quoted),
  };
};

const listValue: HintRule = (scene) => {
  if (!expects(scene, 'value', 'container') || !/^[[(]/.test(scene.rest)) return null;
  return { hint: 'There are no lists of values: write one comparison for each and join them by "or".' };
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
  return {
    label: `${written} is no escape`,
    hint: `Write \\${written} for the text ${written}, or put the whole value in backticks.`,
    suggestions: replace('double the backslash', start, start + 1, '\\\\'),
  };
};

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
  pattern,
  nothing,
  connective,
  exclamation,
  fieldAlone,
  misspeltWord,
  singleQuotes,
  listValue,
  literalContainer,
  valueFirst,
  unquotedValue,
  missingConnective,
  parenthesis,
  collection,
  index,
  escape,
  escapedQuote,
  lineBreak,
];
