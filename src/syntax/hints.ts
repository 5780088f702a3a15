import type { Suggestion } from '../diagnostics/errors.js';
import { suggestNames } from '../diagnostics/suggest.js';
import type { ExpectationName } from './expectation.js';
import type { Failure } from './failure.js';

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

/** The offending token replaced, told by hint and suggestion alike. */
function instead({ failure, rest }: Scene, length: number, replacement: string, hint: string): Advice {
  const { start } = failure.span;
  const title = `write ${replacement} instead of ${rest.slice(0, length)}`;
  return { hint, suggestions: replace(title, start, start + length, replacement) };
}

function expects({ failure }: Scene, ...names: readonly ExpectationName[]): boolean {
  return names.includes(failure.expected);
}

const afterOperand: readonly ExpectationName[] = ['end', 'groupEnd', 'bodyEnd'];

const singleEquals: HintRule = (scene) => {
  if (!expects(scene, 'operator') || !/^=(?!=)/.test(scene.rest)) return null;
  return instead(scene, 1, '==', 'Equality is written ==.');
};

const ordering: HintRule = (scene) => {
  if (!expects(scene, 'operator') || !/^[<>]/.test(scene.rest)) return null;
  return { hint: 'Values have no order here: there are ==, !=, in, contains, matches and is.' };
};

const connectiveInDisguise: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand)) return null;
  const sign = /^(?:&&?|\|\|?|,|;|(?:AND|And|OR|Or)(?![a-zA-Z0-9_/]))/.exec(scene.rest)?.[0];
  if (sign === undefined) return null;
  const word = /^[|o]/i.test(sign) ? 'or' : 'and';
  return instead(scene, sign.length, word, 'Comparisons are joined by the words and and or, in lower case.');
};

const exclamation: HintRule = (scene) => {
  if (!expects(scene, 'operand') || !/^!(?!=)/.test(scene.rest)) return null;
  return instead(scene, 1, 'not ', 'Negation is written not.');
};

const singleQuotes: HintRule = (scene) => {
  const literal = /^'([^'"\\\n]*)'/.exec(scene.rest);
  if (literal === null || !expects(scene, 'value', 'operand', 'container', 'key', 'selector')) return null;
  const hint = 'Text is written in double quotes or backticks.';
  return instead(scene, literal[0].length, `"${literal[1] ?? ''}"`, hint);
};

/** `dc-1`, `10.0.0.1`, `a@b`: a value that goes on after what can stand without quotes. */
const unquotedValue: HintRule = (scene) => {
  const { failure, before, rest } = scene;
  if (!expects(scene, ...afterOperand, 'numberEnd')) return null;
  const head = expects(scene, 'numberEnd') ? '' : (/[^\s"`'(){}=!&|,]+$/.exec(before)?.[0] ?? '');
  const tail = /^[^\s"`'(){}=!&|,]+/.exec(rest)?.[0] ?? '';
  if (tail === '' || (head === '' && !expects(scene, 'numberEnd'))) return null;
  const { start } = failure.span;
  if (head.length + tail.length >= longestLook) return null;
  const quoted = `"${head}${tail}"`;
  return {
    hint: `Only a plain name or number goes without quotes: write ${quoted}.`,
    suggestions: replace('put the value in quotes', start - head.length, start + tail.length, quoted),
  };
};

const listValue: HintRule = (scene) => {
  if (!expects(scene, 'value', 'container') || !/^[[(]/.test(scene.rest)) return null;
  const hint = 'There are no lists of values: write one comparison for each and join them by or.';
  return { hint };
};

const literalContainer: HintRule = (scene) => {
  if (!expects(scene, 'container') || !/^["`\d-]/.test(scene.rest)) return null;
  return { hint: 'Behind in stands a field, and before it the value to look for: "x" in Tags.' };
};

const valueFirst: HintRule = (scene) => {
  if (!expects(scene, 'membership') || !/^[=!<>]/.test(scene.rest)) return null;
  return { hint: 'The field comes first: Status == "running".' };
};

const fieldAlone: HintRule = (scene) => {
  if (!expects(scene, 'operator') || scene.rest !== '') return null;
  const field = /[^\s({]+$/.exec(scene.before.trimEnd())?.[0] ?? '';
  if (field === '') return null;
  return { hint: `A field alone is no filter. Compare it: ${field} == "…", or ${field} is not empty.` };
};

const misspeltWord: HintRule = (scene) => {
  const words: readonly string[] = [...expectedWords(scene)];
  const written = /^[a-zA-Z]+/.exec(scene.rest)?.[0];
  if (written === undefined || words.length === 0) return null;
  const [word] = suggestNames(written, words, 1);
  if (word === undefined) return null;
  return instead(scene, written.length, word, `Did you mean ${word}?`);
};

function expectedWords(scene: Scene): readonly string[] {
  if (expects(scene, 'operator')) return ['in', 'not', 'contains', 'matches', 'is'];
  if (expects(scene, ...afterOperand)) return ['and', 'or'];
  if (expects(scene, 'property')) return ['empty', 'nil', 'not'];
  if (expects(scene, 'negatedProperty')) return ['empty', 'nil'];
  return expects(scene, 'negatable') ? ['in', 'contains', 'matches'] : [];
}

const index: HintRule = (scene) => {
  if (!expects(scene, 'key')) return null;
  const digits = /^([0-9]+)\s*\]/.exec(scene.rest);
  const bracket = scene.source.lastIndexOf('[', scene.failure.span.start);
  if (digits !== null) {
    const end = scene.failure.span.start + digits[0].length;
    const part = `.${digits[1] ?? ''}`;
    const title = `write ${part}`;
    return {
      hint: 'The elements of a list are counted with dots.',
      suggestions: replace(title, bracket, end, part),
    };
  }
  const word = /^[^\s"`\]]+(?=\s*\])/.exec(scene.rest)?.[0];
  const hint = 'A key in brackets is written in quotes.';
  return word === undefined ? { hint } : instead(scene, word.length, `"${word}"`, hint);
};

const escape: HintRule = ({ failure, source }) => {
  if (failure.expected !== 'escape') return null;
  const written = source.slice(failure.span.start, failure.span.end);
  const hint = `Write \\${written} for the text ${written}, or put the whole value in backticks.`;
  return {
    label: `${written} is no escape`,
    hint,
    suggestions: replace('double the backslash', failure.span.start, failure.span.start + 1, '\\\\'),
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

const openParenthesis: HintRule = (scene) => {
  if (!expects(scene, 'groupEnd') || scene.rest !== '') return null;
  return { hint: 'A parenthesis is still open.' };
};

/** The first rule that answers is heard, so the particular ones come first. */
const rules: readonly HintRule[] = [
  singleEquals,
  ordering,
  connectiveInDisguise,
  exclamation,
  singleQuotes,
  listValue,
  literalContainer,
  valueFirst,
  fieldAlone,
  misspeltWord,
  unquotedValue,
  index,
  escape,
  escapedQuote,
  lineBreak,
  openParenthesis,
];
