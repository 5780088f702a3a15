import { checkOptions, checkFunction } from '../../language/diagnostics/options.js';
import { takesLength, type WrittenForm } from '../../language/operators/operators.js';
import type { Schema } from '../../language/schema/schema.js';
import { anyType, intType, type Type } from '../../language/schema/type.js';
import type { Language } from '../../language/parse.js';
import { scalarKinds, type ScalarKind } from '../../language/values/instance/index.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';
import { isBlank } from '../../language/syntax/characters.js';
import { tokenize } from '../../language/syntax/lexer.js';
import { readOffset, readText } from './validate-arguments.js';
import {
  describeOperator,
  describeReversed,
  fits,
  reversedOperators,
  writtenOperators,
} from './fitting-operators.js';
import { fragmentAt, type Fragment } from './replace-range.js';
import { namesBelow, type CompletionSource } from './completion-source.js';
import type { CompletionItem } from './item.js';
import { fieldItems } from './field-items.js';
import {
  closersFor,
  failurePlace,
  parseOrNull,
  completionContextsAfter,
  wordsAfter,
  type CompletionContext,
} from './completion-context.js';
import { locate, type DataPath } from './scope-at.js';
import { referenceItems, signedItems, valueItems } from './value-items.js';

/** Replacements for the source from `from` to `to` (UTF-16 offsets). */
export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly items: readonly CompletionItem[];
}

/** Information about the rows. Without a schema and `keys` no field names are suggested. */
export interface CompleteOptions {
  readonly schema?: Schema | undefined;
  /**
   * Returns the literals to suggest at a path: the values of a field, the elements of a list, the keys of a map. In a path,
   * `null` is any element of a list or value of a map. Never called for hidden fields.
   */
  readonly values?: (path: DataPath) => readonly string[];
  /** Returns the names at a path that the schema does not list: keys of maps, and fields if there is no schema. */
  readonly keys?: (path: DataPath) => readonly string[];
  /** Default: `standard`. */
  readonly dialect?: Dialect;
  /** Default: 1. Level 0 suggests only features of go-bexpr. */
  readonly level?: Level;
}

/** Maximum number of items. More are not readable, and a map may have a million keys. */
const maxItems = 500;

/**
 * Returns what can be inserted at a cursor; the source may be incomplete. Each item, inserted, leaves the source valid up to the
 * end of the insertion. Empty if the source is invalid before the cursor.
 *
 * @param offset A UTF-16 offset, clamped to the source.
 * @throws TypeError if an argument has the wrong type; otherwise only what the functions in `options` throw.
 */
export function complete(text: string, offset: number, options: CompleteOptions = {}): Completions {
  const cursor = readOffset(readText(text), offset);
  checkOptions('complete', options, ['schema', 'values', 'keys', 'dialect', 'level']);
  for (const name of ['values', 'keys'] as const)
    if (options[name] !== undefined) checkFunction('complete', name, options[name]);
  const { dialect = 'standard', level = 1 } = options;
  const language: Language = { dialect, level };
  const fragment = fragmentAt(text, cursor);
  if (fragment === null) return { from: cursor, to: cursor, items: [] };
  const { from, to } = fragment;
  const items = new Map<string, CompletionItem>();
  for (const item of itemsFor(text, fragment, language, options)) {
    if (items.size >= maxItems) break;
    if (!items.has(item.insert)) items.set(item.insert, item);
  }
  return { from, to, items: filterFitting([...items.values()], text, fragment, language) };
}

function itemsFor(
  text: string,
  fragment: Fragment,
  language: Language,
  options: CompleteOptions,
): CompletionItem[] {
  const before = text.slice(0, fragment.from);
  const known: CompletionSource = {
    root: options.schema?.root ?? anyType,
    keys: (path, isMap) => {
      const keysOption = options.keys ?? (isMap ? options.values : undefined);
      return path === null ? [] : (keysOption?.(path) ?? []);
    },
    values: (path) => (path === null ? [] : (options.values?.(path) ?? [])),
  };
  const contexts = completionContextsAfter(before, known.root, language);
  const opensOperand = contexts.some(({ role }) => role === 'operand' || role === 'collection');
  const items = contexts.flatMap((context) => {
    // A `not`, `any` or `all` at the end is the name of a field only if there is such a field.
    if (context.role === 'operator' && opensOperand && !isKnownField(context, known)) return [];
    if (context.role === 'membership' && opensOperand) return [];
    return itemsOf(context, contexts, fragment, known);
  });
  const words = opensOperand ? [] : wordsAfter(before, language).filter((word) => connectives.has(word));
  items.push(...words.map((word) => keyword(word)));
  const mayBeWord = before === '' || isBlank(before.charCodeAt(before.length - 1)) || /[({]$/.test(before);
  // `not ["k"]` would be parsed as the field `not`.
  const isNegated = /(?:^|[^\w/.])not\s*$/.test(before);
  return items.filter(({ kind, insert }) => {
    if (kind === 'field' && isNegated && insert.startsWith('[')) return false;
    if (kind !== 'keyword' && kind !== 'operator') return true;
    if (!insert.startsWith(fragment.written) || (!mayBeWord && /^[a-z]/.test(insert))) return false;
    return !quantifiers.has(insert) || takesCollection(before, insert, language);
  });
}

const quantifiers: ReadonlySet<string> = new Set(['any', 'all']);

/** go-bexpr has no collections after `and` and `not`. */
function takesCollection(before: string, word: string, language: Language): boolean {
  return parseOrNull(`${before}${word} zz as zz { zz == zz }${closersFor(before)}`, language) !== null;
}

const connectives: ReadonlySet<string> = new Set(['and', 'or', 'as']);

function keyword(word: string, detail = ''): CompletionItem {
  return { label: word, kind: 'keyword', insert: word, detail };
}

function isKnownField({ around, ...context }: CompletionContext, known: CompletionSource): boolean {
  if (context.role !== 'operator') return false;
  const [first = ''] = context.selector.path;
  const isBound = around.analysis.scope.some(({ name }) => name === first);
  return isBound || namesBelow(known, { type: known.root, origin: [], isKey: false }).includes(first);
}

function itemsOf(
  context: CompletionContext,
  all: readonly CompletionContext[],
  fragment: Fragment,
  known: CompletionSource,
): CompletionItem[] {
  const request = { fragment, around: context.around, known };
  switch (context.role) {
    case 'operand':
      return [...fieldItems(request, null), ...operandWords];
    case 'collection':
      return fieldItems(request, collectionKinds);
    case 'container':
      return fieldItems(request, containerKinds, true);
    case 'value':
      return [...valueItems(context.match, request), ...signedItems(context.match, request)];
    case 'reference':
      return referenceItems(context.match, request);
    case 'measured':
      return fieldItems(request, containerKinds);
    case 'membership':
      return all.some(({ role }) => role === 'operator') ? [] : reversedItems('');
    case 'negated-membership':
      return all.some(({ role }) => role === 'negated') ? [] : reversedItems('not ');
    case 'operator':
    case 'property':
    case 'negated':
      return operatorItems(context);
  }
}

const collectionKinds: ReadonlySet<Type['kind']> = new Set(['list', 'array', 'map', 'struct', 'any']);
const textKinds = Object.entries(scalarKinds)
  .filter(([, { storedAs: matches }]) => matches === 'string' || matches === 'time')
  .map(([kind]) => kind as ScalarKind);
/** Kinds that contain parts, and so have a length, or that may contain something that does. */
const containerKinds: ReadonlySet<Type['kind']> = new Set([...collectionKinds, ...textKinds]);

const operandWords = [
  keyword('not', 'the opposite of what follows'),
  keyword('any', 'true for some element'),
  keyword('all', 'true for every element'),
  keyword('len(', 'number of elements of a list or map, or of characters of a string'),
];

/** Returns the operators that can follow a value, or that complete a partial operator. */
function reversedItems(partial: string): CompletionItem[] {
  return reversedOperators()
    .filter(({ text }) => text.startsWith(partial))
    .map(({ text, operator: name }) => operator(text.slice(partial.length), describeReversed(name)));
}

function operator(text: string, detail: string): CompletionItem {
  return { label: text, kind: 'operator', insert: text, detail };
}

/** Returns the operators that the field supports, or that complete a partial operator. */
function operatorItems(
  context: Extract<CompletionContext, { role: 'operator' | 'property' | 'negated' }>,
): CompletionItem[] {
  const position = locate(context.selector, context.around);
  const isLength = context.aspect === 'length';
  const type = isLength ? intType : (position?.type ?? null);
  const partial = { operator: '', property: 'is ', negated: 'not ' }[context.role];
  const fitting = writtenOperators().filter(
    (each) => type !== null && fits(each.operator, type) && (!isLength || takesLength(each.operator)),
  );
  const items = fitting.flatMap((each) =>
    each.text.startsWith(partial) ? [operatorItem(each, partial, type)] : [],
  );
  // A name that is not a field can only be a value, before `in`.
  if (type !== null && type.kind !== 'any') return items;
  if (context.role === 'operator') return [...items, ...reversedItems('')];
  return context.role === 'negated' ? [...items, ...reversedItems('not ')] : items;
}

/** Returns the item that completes an operator. An operator with a list includes the opening bracket. */
function operatorItem(
  { text, operator: name }: WrittenForm,
  partial: string,
  type: Type | null,
): CompletionItem {
  const item = operator(text.slice(partial.length), describeOperator(name, type));
  return { ...item, insert: item.insert.replace(/\.\.\]$/, '') };
}

/**
 * Removes items that the parser would reject. The parser treats items of one form alike, so only one of each form is tried. Items
 * that contain a keyword have their own form.
 */
function filterFitting(
  items: readonly CompletionItem[],
  text: string,
  { from, to }: Fragment,
  language: Language,
): CompletionItem[] {
  const verdicts = new Map<string, boolean>();
  return items.filter(({ insert }) => {
    const form = tokensOf(insert);
    const known = verdicts.get(form);
    if (known !== undefined) return known;
    const position = failurePlace(text.slice(0, from) + insert + text.slice(to), language);
    const isFine = position === null || position >= from + insert.length;
    verdicts.set(form, isFine);
    return isFine;
  });
}

/** Returns the token types of an insertion, which the grammar treats alike. A word is its own type. */
function tokensOf(insert: string): string {
  return tokenize(insert)
    .map(({ tokenTypeIdx, image }) => `${tokenTypeIdx}${/^-?[0-9]+\./.test(image) ? '.' : ''}`)
    .join(' ');
}
