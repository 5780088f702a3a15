import { FilterSyntaxError } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import type { Expression } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { selectorsOf, walk } from '../../language/syntax/visit.js';
import { conditionOf, conditionOfText, findNode, type Condition, type ConditionLike } from './condition.js';
import { literalOf, type Scalar } from './literal.js';
import { formOf } from '../../language/operators/operators.js';
import { dateText, specialOf, type CaselessText, type Clock } from './operand.js';
import { referenceOf, selectorOf, type FieldPath } from './reference.js';

/** What a placeholder of a template can be: a value, values after `in`, a path to a field, or a whole condition. */
export type Interpolation =
  | Scalar
  | Date
  | Clock
  | CaselessText
  | readonly (Scalar | Date | Clock | CaselessText)[]
  | FieldPath
  | ConditionLike;

/**
 * Creates a filter that contains values of the program, which are never parsed as anything but values:
 *
 * ```ts
 * filter`Status == ${status} and ${field('Meta', 'cpu.arch')} != ${arch} and ${other}`
 * ```
 *
 * A placeholder is a whole value (a string, number, bigint or boolean; also in brackets, `Meta[${key}]`), a whole path (`field`,
 * `where`; after an operator `@${field('Other')}`) or a condition or filter, which is put in parentheses. After `in` it can be an
 * array, after orderings and in lists a Date, `now` or `ago`. Do not put placeholders in quotes. The source between the
 * placeholders is written in the filter language: backslashes are the language's own, only `\`` and `\${` are read as in
 * JavaScript.
 *
 * @throws TypeError if a placeholder holds anything else, or is in an invalid position; the message names the placeholder.
 * @throws FilterSyntaxError if the source around the placeholders is not a valid filter.
 */
export function filter(strings: TemplateStringsArray, ...holes: readonly Interpolation[]): Condition {
  const { raw } = readStrings(strings);
  let text = textBetween(raw[0]);
  const fillings = holes.map((hole, index) => {
    const filling = fill(hole, text, `filter: value ${index + 1}${textAfter(text)}`);
    text += filling.text + textBetween(raw[index + 1]);
    return filling;
  });
  const condition = readFilled(text, fillings);
  const positions = placesOf(condition.ast);
  for (const filling of fillings) requirePlace(filling, positions);
  return condition;
}

/** Parses the whole source. A mistake within a placeholder is reported as an error about its value. */
function readFilled(text: string, fillings: readonly Filling[]): Condition {
  try {
    return conditionOfText(text);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    const at = error.span.start;
    const filling = fillings.find(({ start, text: filled }) => at >= start && at < start + filled.length);
    if (filling === undefined) throw error;
    throw new TypeError(`${filling.position}: ${misplaced[filling.kind]}`, { cause: error });
  }
}

function readStrings(strings: TemplateStringsArray): TemplateStringsArray {
  const isTemplate = Array.isArray(strings) && 'raw' in strings && Array.isArray(strings.raw);
  if (!isTemplate) throw new TypeError('filter is a template tag: write filter`Name == ${value}`');
  return strings;
}

/** Removes the two escapes that templates require. */
function textBetween(raw: string | undefined): string {
  return raw === undefined ? '' : raw.replace(/\\`/g, '`').replace(/\\\$\\?\{|\$\\\{/g, () => '${');
}

/** Returns the last few characters before a placeholder, for messages. */
function textAfter(text: string): string {
  return text === '' ? '' : ` (behind ${JSON.stringify(text.slice(-20))})`;
}

/** The source of a placeholder, and what the tree must contain at its position. */
interface Filling {
  readonly text: string;
  /** Its offset in the whole source. */
  readonly start: number;
  readonly position: string;
  readonly kind: 'value' | 'bound' | 'list' | 'field' | 'condition';
  /** The span of the value, of the selector, or of each selector of a condition. */
  readonly spans: readonly Span[];
}

function fill(hole: unknown, before: string, position: string): Filling {
  const start = before.length;
  const reference = referenceOf(hole);
  if (reference !== null) {
    if (reference.binder !== null)
      throw new TypeError(
        `${position}: an element of any or all has no name in a template; use the operators of where`,
      );
    const text = print(selectorOf(reference.path));
    return { text, start, position, kind: 'field', spans: [{ start, end: start + text.length }] };
  }
  const node = findNode(hole);
  if (node !== null) {
    const { source, ast } = conditionOf(node);
    // One more character, for the parenthesis before the condition.
    const spans = selectorsOf(ast).map(({ span }) => ({
      start: span.start + start + 1,
      end: span.end + start + 1,
    }));
    return { text: `(${source})`, start, position, kind: 'condition', spans };
  }
  const [kind, text] = Array.isArray(hole)
    ? ([
        'list',
        `[${hole.map((each: unknown, at) => literalIn(each, `${position}[${at}]`)[1]).join(', ')}]`,
      ] as const)
    : literalIn(hole, position);
  return { text, start, position, kind, spans: [{ start, end: start + text.length }] };
}

/** Returns the literal for a value, and where it is valid: an instant only after an ordering and in a list. */
function literalIn(value: unknown, position: string): readonly ['value' | 'bound', string] {
  const special = specialOf(value);
  if (special?.ignoreCase === true) return ['value', `${literalOf(special.text, position)}i`];
  if (special !== null) return ['bound', special.text];
  if (value instanceof Date) return ['bound', literalOf(dateText(value, position), position)];
  return ['value', literalOf(value, position)];
}

/** The spans of values and paths in a tree, as strings. */
interface Places {
  readonly values: ReadonlySet<string>;
  /** Values after an ordering, and the elements of lists. */
  readonly bounds: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
  readonly selectors: ReadonlySet<string>;
}

/**
 * Checks that a placeholder is exactly one node of the right kind, so that the tree has the template's shape for any values. A
 * placeholder within quotes is therefore an error.
 */
function requirePlace({ kind, spans, position }: Filling, positions: Places): void {
  const known = positions[placesFor[kind]];
  if (spans.every((span) => known.has(keyOf(span)))) return;
  throw new TypeError(`${position}: ${misplaced[kind]}`);
}

const placesFor: Readonly<Record<Filling['kind'], keyof Places>> = {
  value: 'values',
  bound: 'bounds',
  list: 'lists',
  field: 'selectors',
  condition: 'selectors',
};

const misplaced: Readonly<Record<Filling['kind'], string>> = {
  value:
    'a value must be alone after an operator, before "in" or in brackets, without quotes; insert a field with field(...)',
  bound:
    'a Date or now must be alone after <, <=, > or >=, or in a list; a Date has many string forms, so for == pass the string in the rows, such as date.toISOString()',
  list: 'an array must be alone after "in", without brackets; to search a list, use any L as x { x in ${array} }',
  field:
    'a path must be alone before an operator, after "in" or after "@", without quotes; to compare with another field, use Name == @${field(...)}',
  condition: 'a condition must replace a whole comparison, without quotes',
};

function placesOf(ast: Expression): Places {
  const values = new Set<string>();
  const bounds = new Set<string>();
  const lists = new Set<string>();
  walk(ast, {
    match({ value, selector, operator }) {
      if (value?.kind === 'list') {
        lists.add(keyOf(value.span));
        for (const { span } of value.elements) bounds.add(keyOf(span));
      } else if (value?.kind === 'value') {
        values.add(keyOf(value.span));
        if (formOf(operator).operator.operand.dependsOnQuotes) bounds.add(keyOf(value.span));
      }
      if (selector.form === 'bexpr') for (const span of selector.partSpans.slice(1)) values.add(keyOf(span));
    },
    collection({ selector }) {
      if (selector.form === 'bexpr') for (const span of selector.partSpans.slice(1)) values.add(keyOf(span));
    },
  });
  for (const bound of bounds) values.add(bound);
  return { values, bounds, lists, selectors: new Set(selectorsOf(ast).map(({ span }) => keyOf(span))) };
}

function keyOf({ start, end }: Span): string {
  return `${start}:${end}`;
}
