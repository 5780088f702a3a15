import { expects, replace, replaceHere, rewrite, type HintRule } from './hint.js';
import { literalPattern } from './loose-syntax.js';
import { infixPattern } from './operator-spelling.js';

// Swapped fields and values.

export const literalContainer: HintRule = (context) => {
  if (!expects(context, 'container') || !/^["`\d-]/.test(context.rest)) return null;
  const value = new RegExp(`^${literalPattern}`).exec(context.rest)?.[0];
  const isField = /(?:^|[\s(])[a-zA-Z][\w.]*\s+(?:not\s+)?in\s+$/.test(context.before);
  if (context.level > 0 && isField && value !== undefined)
    return replaceHere(context, value.length, `[${value}]`, `Put the values in brackets: in [${value}].`);
  return { hint: 'Put the value before `in` and the field after it: "x" in Tags.' };
};

const isCompared = new RegExp(
  String.raw`^(?:[=!<>~]=?=?\s*(?:["'\x60\d\-]|(?:true|false)\b)|(?:is|(?:not\s+)?(?:like|${infixPattern}))\b)`,
  'i',
);

/** `"Name" = 'x'`, `"First Name" == 5`: a quoted field name. */
export const quotedField: HintRule = (context) => {
  if (!expects(context, 'membership')) return null;
  const field = /(?:^|[\s({])(["`])([^"`\\\n]+)\1\s*$/.exec(context.before);
  if (field === null) return null;
  const [, quote = '', text = ''] = field;
  const isKnown = context.fields !== null && context.fields.kindAt([text]) !== null;
  if (!isKnown && !isCompared.test(context.rest)) return null;
  const isPlain = /^[a-zA-Z]\w*(?:\.\w+)*$/.test(text) && !(isKnown && text.includes('.'));
  if (!isPlain && context.level === 0) return null;
  const name = isPlain ? text : `[${quote}${text}${quote}]`;
  const { length } = field[0].trimStart().replace(/^[({]/, '');
  const gap = /\s$/.test(field[0]) || /^\w/.test(context.rest) ? ' ' : '';
  const hint = isPlain ? 'Write a field name without quotes' : 'Write the name of a field in brackets';
  return rewrite(context, `${hint}: ${name}.`, name + gap, length, 0);
};

export const valueFirst: HintRule = (context) => {
  const operator = /^([=!]=)\s*([a-zA-Z][a-zA-Z0-9_/.]*)/.exec(context.rest);
  if (!expects(context, 'membership') || operator === null) return null;
  const value = /("[^"]*"|`[^`]*`|-?[0-9][0-9.]*)\s*$/.exec(context.before);
  const swapped = `${operator[2] ?? ''} ${operator[1] ?? ''} ${value?.[1] ?? '"…"'}`;
  const { start } = context.failure.span;
  const hint = `The field goes first: ${swapped}.`;
  if (value === null) return { hint, suggestions: [] };
  const [all, text = ''] = value;
  const from = start - all.length;
  const swap = replace('put the field first', from, start + operator[0].length, swapped);
  // A text with a blank may be the name of a field.
  if (context.level === 0 || !/^["`].*\s/.test(text)) return { hint, suggestions: swap };
  const name = `[${text}]`;
  return {
    hint: `${hint} If ${text} is the field, write ${name}.`,
    suggestions: [...swap, ...replace(`write ${name}`, from, from + text.length, name)],
  };
};
