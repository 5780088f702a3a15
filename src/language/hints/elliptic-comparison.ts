import type { Suggestion } from '../diagnostics/errors.js';
import {
  afterOperand,
  expects,
  guesses,
  replace,
  rewrite,
  type Hint,
  type HintRule,
  type HintContext,
} from './hint.js';
import { literalPattern, readLiteral, selectorPattern, writeLiteral } from './loose-syntax.js';
import { operatorPattern } from './operator-spelling.js';

// Comparisons with omitted repetition: `Status == running or dead`.

interface Comparison {
  /** Returns the same comparison with another value. */
  with(value: string): string;
  readonly operator: string;
  readonly isNegated: boolean;
  /** The two sides of `a in b`, which may be swapped; null for other comparisons. */
  readonly sides: readonly [value: string, list: string] | null;
}

const comparisonAtEnd = new RegExp(
  `(?:^|[\\s({])(?:(${selectorPattern})\\s*(${operatorPattern})\\s*(${literalPattern})|(${literalPattern})\\s+((?:not\\s+)?in)\\s+(${selectorPattern}))\\s*$`,
);

/** Returns the comparison at the end of the source. */
function comparisonBefore(text: string): (Comparison & { readonly length: number }) | null {
  const found = comparisonAtEnd.exec(text);
  if (found === null) return null;
  const [all, selector, operator, , , inside, list] = found;
  const length = all.length - (/^[\s({]/.test(all) ? 1 : 0);
  if (selector !== undefined && operator !== undefined) {
    const isNegated = /^(?:!|not)/.test(operator);
    return { operator, isNegated, length, sides: null, with: (value) => `${selector} ${operator} ${value}` };
  }
  if (inside === undefined || list === undefined) return null;
  return {
    operator: inside,
    isNegated: inside.startsWith('not'),
    length,
    sides: [found[4] ?? '', list],
    with: (value) => `${value} ${inside} ${list}`,
  };
}

/** Matches whatever may follow a value that has no field. */
const ends = /^(?:$|[)}]|(?:and|or)\b)/;

/** `Status == running or dead`, `dc1 in Datacenters and dc2`: a value without its comparison. */
export const loneValue: HintRule = (context) => {
  if (!expects(context, 'operator', 'membership', 'numberEnd')) return null;
  // A value such as `elm-1` continues after the rejected word.
  const tail = ends.test(context.rest)
    ? ''
    : (/^[-@][^\s"'`(){}[\]=!<>&|,;:]+/.exec(context.rest)?.[0] ?? '');
  if (!ends.test(context.rest.slice(tail.length).trimStart()) || (tail !== '' && /\s$/.test(context.before)))
    return null;
  const lone = new RegExp(`\\s(and|or)\\s+(${literalPattern})\\s*$`).exec(context.before);
  if (lone === null) return null;
  const comparison = comparisonBefore(context.before.slice(0, lone.index));
  const written = (lone[2] ?? '') + tail;
  const value = readLiteral(written);
  if (comparison === null || value === null || /^(?:and|or|not)$/.test(written)) return null;
  // The word may be the field of another comparison, whose rest is missing.
  const isWord = /^[a-zA-Z][\w/]*$/.test(written);
  if (isWord && context.fields?.kindAt([written]) === 'bool') return null;
  const joiner = lone[1] ?? 'or';
  const unfinished = {
    hint: `Write a comparison after \`${joiner}\`, such as ${written} == "...".`,
  };
  // A single letter is more often a value.
  if (isWord && written.length > 1 && context.rest === '' && context.fields?.startsField(written) === true)
    return unfinished;
  const literal = isWord || (tail === '' && /^["`]/.test(written)) ? written : writeLiteral(value);
  const text = comparison.with(literal);
  const { start: position } = context.failure.span;
  const start = position - lone[0].length + 1;
  const end = tail === '' ? start + lone[0].trim().length : position + tail.length;
  const hint = `Write a comparison for each value: ${joiner} ${text}.`;
  const asWritten = replace(`write ${text}`, start, end, `${joiner} ${text}`);
  const head = context.before.slice(0, lone.index - comparison.length);
  if (joiner === 'or' && !comparison.isNegated && /\band\s+$/.test(head)) {
    // `and` binds more tightly than `or`, which is never intended if the field is omitted.
    const first = context.before.slice(lone.index - comparison.length, lone.index);
    const both = `(${first} or ${text})`;
    const suggestions = guesses(replace(`write ${both}`, start - 1 - comparison.length, end, both));
    return {
      hint: `Write a comparison for each value; \`and\` binds tighter than \`or\`: ${both}.`,
      suggestions,
    };
  }
  // "Not a or b" means neither of the two. And one field never equals two values at once.
  const other = joiner === 'or' ? 'and' : 'or';
  const isOdd = comparison.isNegated ? joiner === 'or' : joiner === 'and' && comparison.operator === '==';
  if (!isOdd)
    return { hint, suggestions: isWord && context.fields === null ? guesses(asWritten) : asWritten };
  const reversed = guesses(replace(`write ${other} ${text}`, start, end, `${other} ${text}`));
  if (comparison.isNegated)
    return { hint: `Write a comparison for each value: ${text}.`, suggestions: [...reversed, ...asWritten] };
  // `Status == "running" and Pri`: the last word is a value, or the start of a field name.
  return isWord
    ? unfinished
    : { hint: `A value cannot equal two values: write \`or ${text}\`.`, suggestions: reversed };
};

/** `Status == running or == dead`: the field is omitted. */
export const loneOperator: HintRule = (context) => {
  if (!expects(context, 'operand', 'operator')) return null;
  const operator = new RegExp(`^(?:${operatorPattern}|is\\s)`).exec(context.rest)?.[0];
  const word = /\s(?:and|or)\s+$/.exec(context.before);
  if (operator === undefined || word === null) return null;
  const head = context.before.slice(0, word.index);
  const selector = new RegExp(
    `(?:^|[\\s({])(${selectorPattern})\\s*(?:${operatorPattern}|is\\s)[^(){}]*$`,
  ).exec(head)?.[1];
  if (selector === undefined) return null;
  const { start } = context.failure.span;
  return {
    hint: `Repeat the field before every operator: ${selector} ${operator.trim()}.`,
    suggestions: replace(`insert ${selector}`, start, start, `${selector} `),
  };
};

const item = new RegExp(
  `^\\s*(?:,\\s*|(?=["'\`]))(${literalPattern}|[\\w.:@-]+)(?=\\s*(?:,|$|[)}\\]]|(?:and|or)\\b))`,
);

/** `Datacenters contains dc1, dc2`: one comparison with several values. */
export const listedValues: HintRule = (context) => {
  if (!expects(context, ...afterOperand, 'numberEnd') || !/^(?:,|["'`][^"'`\n]*["'`])/.test(context.rest))
    return null;
  const comparison = comparisonBefore(context.before);
  if (comparison === null) return null;
  const thousands = groupedNumber(context);
  if (thousands !== null) return thousands;
  const decimal = decimalComma(context);
  const values: string[] = [];
  let length = 0;
  for (let rest = context.rest; values.length < 50; rest = context.rest.slice(length)) {
    const found = item.exec(rest);
    if (found === null) break;
    values.push(readLiteral(found[1] ?? '') ?? '');
    length += found[0].length;
  }
  if (values.length === 0) return null;
  const { start } = context.failure.span;
  const from = start - comparison.length;
  const swapped = fieldAndValues(context, comparison, values);
  if (swapped !== null) {
    const suggestions = replace(`write ${swapped}`, from, start + length, swapped);
    return context.fields === null
      ? {
          hint: 'Write one comparison for each value, or a field and its values in brackets: Status in ["running", "dead"].',
          suggestions: guesses(suggestions),
        }
      : { hint: `Write the values in brackets: ${swapped}.`, suggestions };
  }
  const first = context.source.slice(from, start).trim();
  const tests = [
    first,
    ...values.map((value) => comparison.with(/^[a-zA-Z]\w*$/.test(value) ? value : writeLiteral(value))),
  ];
  const isList = /contains|in/.test(comparison.operator);
  const joiners = isList || comparison.isNegated ? ['and', 'or'] : ['or'];
  return {
    hint: `A comparison takes one value. Write one comparison for each value and join them with ${joiners.map((joiner) => `"${joiner}"`).join(' or ')}.`,
    suggestions: [
      ...decimal,
      ...joiners.flatMap((joiner) => {
        const text = `(${tests.join(` ${joiner} `)})`;
        return replace(`write ${text}`, from, start + length, text);
      }),
    ],
  };
};

/** Returns the field and the values of `Status in running, dead`; null if the value comes first. */
function fieldAndValues(
  { fields, level }: HintContext,
  { sides, operator, isNegated }: Comparison,
  values: readonly string[],
): string | null {
  if (sides === null) return null;
  const [field, first] = sides;
  const isKnown = (name: string): boolean => fields !== null && fields.kindAt(name.split('.')) !== null;
  const isField = /^[a-zA-Z]/.test(field) && (fields === null || isKnown(field)) && !isKnown(first);
  if (!isField) return null;
  const all = [first, ...values].map((value) => (/^[a-zA-Z]\w*$/.test(value) ? value : writeLiteral(value)));
  if (level > 0) return `${field} ${operator} [${all.join(', ')}]`;
  const [sign, joiner] = isNegated ? ['!=', 'and'] : ['==', 'or'];
  return `(${all.map((value) => `${field} ${sign} ${value}`).join(` ${joiner} `)})`;
}

/** Returns suggestions for a number with a decimal comma, such as `1,5`. */
function decimalComma(context: HintContext): readonly Suggestion[] {
  const head = /(?:^|[\s=])(-?(?:0|[1-9][0-9]*))$/.exec(context.before)?.[1];
  const tail = /^,([0-9]+)(?![\w.,])/.exec(context.rest);
  if (head === undefined || tail === null) return [];
  const { start } = context.failure.span;
  const number = `${head}.${tail[1] ?? ''}`;
  return replace(`write ${number}`, start - head.length, start + tail[0].length, number);
}

/** Returns the hint for a number whose digits are grouped, such as `1,000`. */
function groupedNumber(context: HintContext): Hint | null {
  const digits = /(?:^|[\s=])(-?[1-9][0-9]{0,2})$/.exec(context.before)?.[1];
  const groups = /^(?:,[0-9]{3})+(?![\w.,])/.exec(context.rest)?.[0];
  if (digits === undefined || groups === undefined) return null;
  const whole = digits + groups.replaceAll(',', '');
  const hint = `Write numbers without separators: ${whole}.`;
  return rewrite(context, hint, whole, digits.length, groups.length);
}
