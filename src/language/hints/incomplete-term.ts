import type { ExpectationName } from '../syntax/expectation.js';
import { afterOperand, expects, guess, replace, replaceHere, rewrite, type HintRule } from './hint.js';
import { literalPattern, selectorPattern } from './loose-syntax.js';
import { operatorPattern, operatorWordPattern } from './operator-spelling.js';

// Comparisons and collections with a missing part.

export const fieldAlone: HintRule = (context) => {
  if (!expects(context, 'operator') || !/^(?:$|[)}&|]|(?:and|or)\b)/.test(context.rest)) return null;
  const field = /[^\s({]+$/.exec(context.before.trimEnd())?.[0] ?? '';
  if (field === '' || /^(?:and|or|not|any|all)$/.test(field)) return null;
  const { length: end } = context.source.slice(0, context.failure.span.start).trimEnd();
  const isKnown = context.fields === null || context.fields.kindAt(field.split('.')) !== null;
  const isNegated = /(?:^|[\s({])not\s+\S+\s*$/.test(context.before);
  const tests = ['is not empty', '== true'];
  return {
    hint: (cached) =>
      isKnown
        ? `A field name is not a filter. Compare it: ${cached.map(({ title }) => title.replace(/^write /, '')).join(', or ') || `${field} == "…"`}.`
        : `A filter compares a field with a value, such as Status == "running". There is no field ${field}.`,
    suggestions: !isKnown
      ? []
      : (isNegated ? tests.toReversed() : tests).flatMap((test) =>
          replace(`write ${field} ${test}`, end, end, ` ${test}`),
        ),
  };
};

/** `"running"`: a value alone. */
export const valueAlone: HintRule = (context) => {
  if (!expects(context, 'membership') || !/^(?:$|[)}&|]|(?:and|or)\b)/.test(context.rest)) return null;
  const value = new RegExp(`(${literalPattern})\\s*$`).exec(context.before)?.[1];
  if (value === undefined) return null;
  return { hint: `A value is not a filter. Compare a field with it, such as Name == ${value}.` };
};

const startsComparison = new RegExp(
  String.raw`^(?:not\s|\(|"[^"\n]*"\s*(?:not\s+)?in\s|[a-zA-Z][\w/.]*\s*(?:[=!]=|\s(?:${operatorWordPattern})\s))`,
);

export const missingConnective: HintRule = (context) => {
  if (!expects(context, ...afterOperand) || !/\s$/.test(context.before) || !/^["`(a-zA-Z]/.test(context.rest))
    return null;
  const { start } = context.failure.span;
  const words = startsComparison.test(context.rest) ? ['and', 'or'] : [];
  return {
    hint: 'Join two comparisons with `and` or `or`.',
    suggestions: words.flatMap((word) => replace(`insert ${word}`, start, start, `${word} `)),
  };
};

export const parenthesis: HintRule = (context) => {
  if (expects(context, 'groupEnd') && context.rest === '') {
    return replaceHere(context, 0, ')', 'The parenthesis is not closed; add ).');
  }
  if (!expects(context, 'end') || !context.rest.startsWith(')')) return null;
  return replaceHere(context, 1, '', 'This parenthesis has no opening parenthesis.');
};

/** `any TaskGroups { Count == 0 }`: the element without a name. */
export const namelessElement: HintRule = (context) => {
  if (!expects(context, 'as') || !context.rest.startsWith('{')) return null;
  const body = new RegExp(`^\\{\\s*(${selectorPattern})(\\s*(?:${operatorPattern}|is\\s)[^{}]*\\})`).exec(
    context.rest,
  );
  const list = new RegExp(`(${selectorPattern})\\s*$`).exec(context.before)?.[1] ?? 'Tags';
  const name = /^x\b/.test(list) ? 'y' : 'x';
  const hint = `Name the element: any ${list} as ${name} { ${name}.Name == "web" }.`;
  if (body === null || / (?:and|or) /.test(body[0])) return { hint };
  const gap = /\s$/.test(context.before) ? '' : ' ';
  const text = `${gap}as ${name} { ${name}.${body[1] ?? ''}${body[2] ?? ''}`;
  return guess(rewrite(context, hint, text, 0, body[0].length));
};

const collectionHead: readonly ExpectationName[] = [
  'as',
  'binding',
  'bindingComma',
  'bindingName',
  'bindingEnd',
];

export const collection: HintRule = (context) => {
  return expects(context, ...collectionHead)
    ? { hint: 'Name the element and use braces: any Tags as t { t == "x" }.' }
    : null;
};
