import { suggestNames } from '../diagnostics/suggest.js';
import {
  afterOperand,
  expects,
  guesses,
  instead,
  longestLook,
  replace,
  type Advice,
  type HintRule,
} from './advice.js';
import { borrowings } from './borrowings.js';
import { calls, emptiness, literalCall } from './calls.js';
import { index, starPart } from './elements.js';
import { listedValues, loneOperator, loneValue } from './ellipsis.js';
import { type ExpectationName, expectations } from './expectation.js';
import type { Failure } from './failure.js';
import type { FieldKnowledge } from './knowledge.js';
import { omissions } from './omissions.js';
import { closingEnd, literalPattern, operatorPattern, selectorPattern } from './phrase.js';
import { transplants } from './transplants.js';
import { typography } from './typography.js';
import {
  foreignQuotes,
  placeholder,
  slashedPattern,
  unquotedPattern,
  unquotedValue,
  wildcard,
} from './value-hints.js';

/** What the first rule that knows better says about a refusal; null when none does. */
export function advise(source: string, failure: Failure, fields: FieldKnowledge | null): Advice | null {
  const { start } = failure.span;
  const before = source.slice(Math.max(0, start - longestLook), start);
  const scene = { source, failure, rest: source.slice(start), before, fields };
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
  const sign = /^(?:<>|[<>]=?|=[<>]|[≤≥])(?![=<>])/.exec(scene.rest)?.[0];
  if (!expects(scene, 'operator', 'membership') || sign === undefined) return null;
  if (sign === '<>') return instead(scene, 2, '!=', 'Inequality is written !=.');
  const hint = 'Values have no order here: there are ==, !=, in, contains, matches and is.';
  const operand = /^\s*(?:([0-9]+)(?![\w.:-])|["'`]?([0-9]{4}-[0-9]{2})\b)/.exec(
    scene.rest.slice(sign.length),
  );
  const [, count, month] = operand ?? [];
  const found = new RegExp(`(${selectorPattern})\\s*$`).exec(scene.before);
  const selector = found?.[1];
  const measured = /^(.+)\.(?:length|len|size|count)$/i.exec(selector ?? '')?.[1];
  const test = count === undefined ? null : emptiness(sign, count);
  if (found !== null && measured !== undefined && operand !== null && test !== null) {
    const { start } = scene.failure.span;
    const text = `${measured} ${test}`;
    const end = start + sign.length + operand[0].length;
    return {
      hint: 'Sizes are not compared; is empty and is not empty ask whether there is anything.',
      suggestions: replace(`write ${text}`, start - found[0].length, end, text),
    };
  }
  if (selector !== undefined && month !== undefined) {
    return { hint: `${hint} Of a date its beginning can be asked for: ${selector} matches "^${month}".` };
  }
  const isSome = test === 'is not empty';
  if (!isSome || !expects(scene, 'operator')) return { hint };
  const { start } = scene.failure.span;
  const end = start + sign.length + (operand?.[0].length ?? 0);
  return { hint, suggestions: guesses(replace('write != 0', start, end, '!= 0')) };
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
  const hint = 'Negation is written not.';
  const signs = /^!+/.exec(scene.rest)?.[0] ?? '!';
  if (signs.length === 2) return instead(scene, 2, '', hint);
  // `not contains(...)` would be read as a field named not.
  const head = /^!\s*[a-zA-Z][\w.]*(?=\()/.exec(scene.rest)?.[0];
  if (head === undefined) return instead(scene, 1, 'not ', hint);
  const { start } = scene.failure.span;
  const end = closingEnd(scene.source, start + head.length);
  if (end === -1) return instead(scene, 1, 'not ', hint);
  const call = scene.source.slice(start + 1, end).trim();
  return { hint, isSweeping: true, suggestions: replace('write not', start, end, `not (${call})`) };
};

const misspeltWord: HintRule = (scene) => {
  const written = /^[a-zA-Z]+/.exec(scene.rest)?.[0];
  const words = expectations[scene.failure.expected].keywords;
  // An exclusive or is no `or`.
  if (written === undefined || words.length === 0 || /^xor$/i.test(written)) return null;
  const [word] = suggestNames(written, words, 1);
  return word === undefined ? null : instead(scene, written.length, word, `Did you mean ${word}?`);
};

// ---- Something missing ----

const fieldAlone: HintRule = (scene) => {
  if (!expects(scene, 'operator') || !/^(?:$|[)}&|]|(?:and|or)\b)/.test(scene.rest)) return null;
  const field = /[^\s({]+$/.exec(scene.before.trimEnd())?.[0] ?? '';
  if (field === '' || /^(?:and|or|not|any|all)$/.test(field)) return null;
  const { length: end } = scene.source.slice(0, scene.failure.span.start).trimEnd();
  const isKnown = scene.fields === null || scene.fields.kindAt(field.split('.')) !== null;
  const isNegated = /(?:^|[\s({])not\s+\S+\s*$/.test(scene.before);
  const tests = ['is not empty', '== true'];
  return {
    hint: (kept) =>
      isKnown
        ? `A field alone is no filter. Compare it: ${kept.map(({ title }) => title.replace(/^write /, '')).join(', or ') || `${field} == "…"`}.`
        : `A filter compares a field with a value, such as Status == "running"; there is no field ${field}.`,
    suggestions: !isKnown
      ? []
      : (isNegated ? tests.toReversed() : tests).flatMap((test) =>
          replace(`write ${field} ${test}`, end, end, ` ${test}`),
        ),
  };
};

/** `"running"`: a value and nothing else. */
const valueAlone: HintRule = (scene) => {
  if (!expects(scene, 'membership') || !/^(?:$|[)}&|]|(?:and|or)\b)/.test(scene.rest)) return null;
  const value = new RegExp(`(${literalPattern})\\s*$`).exec(scene.before)?.[1];
  if (value === undefined) return null;
  return { hint: `A value alone is no filter. Compare a field with it, such as Name == ${value}.` };
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

/** `any TaskGroups { Count == 0 }`: the element without a name. */
const namelessElement: HintRule = (scene) => {
  if (!expects(scene, 'as') || !scene.rest.startsWith('{')) return null;
  const body = new RegExp(`^\\{\\s*(${selectorPattern})(\\s*(?:${operatorPattern}|is\\s)[^{}]*\\})`).exec(
    scene.rest,
  );
  const list = new RegExp(`(${selectorPattern})\\s*$`).exec(scene.before)?.[1] ?? 'Tags';
  const name = /^x\b/.test(list) ? 'y' : 'x';
  const hint = `The element gets a name: any ${list} as ${name} { ${name}.Name == "web" }.`;
  if (body === null || / (?:and|or) /.test(body[0])) return { hint };
  const { start } = scene.failure.span;
  const gap = /\s$/.test(scene.before) ? '' : ' ';
  const text = `${gap}as ${name} { ${name}.${body[1] ?? ''}${body[2] ?? ''}`;
  return { hint, suggestions: guesses(replace(`write ${text.trim()}`, start, start + body[0].length, text)) };
};

const collection: HintRule = (scene) => {
  return expects(scene, ...collectionHead)
    ? { hint: 'A collection is written: any Tags as t { t == "x" }.' }
    : null;
};

// ---- Values ----

const literalContainer: HintRule = (scene) => {
  if (!expects(scene, 'container') || !/^["`\d-]/.test(scene.rest)) return null;
  return { hint: 'Behind in stands a field, and before it the value to look for: "x" in Tags.' };
};

/** `"Name" = 'x'`: the name of a field in quotes. */
const quotedField: HintRule = (scene) => {
  if (!expects(scene, 'membership')) return null;
  const field = /(?:^|[\s({])(["`])([a-zA-Z]\w*(?:\.\w+)*)\1\s*$/.exec(scene.before);
  const isCompared =
    /^(?:[=!<>~]=?=?\s*(?:["'`\d-]|(?:true|false)\b)|(?:is|like|contains|matches|not\s+(?:like|contains|matches))\b)/i;
  if (field === null || !isCompared.test(scene.rest)) return null;
  const name = field[2] ?? '';
  const { start } = scene.failure.span;
  const from = start - field[0].trimStart().replace(/^[({]/, '').length;
  const gap = /^\w/.test(scene.rest) ? ' ' : '';
  return {
    hint: `The name of a field stands without quotes: ${name}.`,
    suggestions: replace(`write ${name}`, from, start, `${name}${/\s$/.test(field[0]) ? ' ' : gap}`),
  };
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

/** What can be said of a place when nothing else can. */
const fallback: HintRule = (scene) => {
  if (/^xor\b/i.test(scene.rest)) return { hint: 'There is no xor: write (a and not b) or (b and not a).' };
  if (expects(scene, 'operator', 'negatable'))
    return { hint: 'Behind a field stands an operator: ==, !=, in, contains, matches or is.' };
  if (expects(scene, ...afterOperand)) return { hint: 'Behind a comparison stands and, or, or nothing.' };
  if (expects(scene, 'operand')) return { hint: 'A comparison belongs here, such as Status == "running".' };
  if (expects(scene, 'value'))
    return { hint: 'A value belongs here: text in quotes, a number, true or false.' };
  if (expects(scene, 'membership'))
    return { hint: 'Behind a value stands in and the field to look in: "x" in Tags.' };
  return expects(scene, 'part')
    ? { hint: 'Behind a dot stands a name or a number: Meta.owner, Tags.0.' }
    : null;
};

/** The first rule that answers is heard, so the particular ones come first. */
const rules: readonly HintRule[] = [
  ...typography,
  ...transplants,
  quotedField,
  placeholder,
  ...borrowings.early,
  loneValue,
  loneOperator,
  literalCall,
  calls,
  equality,
  inequality,
  ordering,
  ...borrowings.middle,
  nothing,
  listedValues,
  connective,
  exclamation,
  fieldAlone,
  misspeltWord,
  ...borrowings.late,
  foreignQuotes,
  literalContainer,
  valueFirst,
  valueAlone,
  slashedPattern,
  wildcard,
  unquotedPattern,
  unquotedValue,
  ...omissions,
  missingConnective,
  parenthesis,
  namelessElement,
  collection,
  starPart,
  index,
  escape,
  escapedQuote,
  lineBreak,
  fallback,
];
