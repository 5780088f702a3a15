import { suggest, type Suggestion } from '../diagnostics/errors.js';
import { createSearchEffort, suggestNames, type SearchEffort } from '../diagnostics/suggest.js';
import { formOf } from '../operators/operators.js';
import { literalOf, type MatchExpression, type Selector } from '../syntax/ast.js';
import type { Level } from '../syntax/dialect.js';
import { fieldPathText, quote } from '../syntax/field-path.js';
import { elementName, isFieldName, isPlainName, pointerTo } from '../syntax/literal.js';
import { makeSelector } from '../syntax/factory.js';
import { print } from '../syntax/print.js';
import { quoteGo } from '../values/go-quote.js';

// Suggestions for unknown names, from the existing names.

/** The hint and suggestions of a diagnostic. */
export interface Fix {
  readonly hint: string | null;
  readonly suggestions: readonly Suggestion[];
}

/** The known names of the fields or keys at one position. */
interface KnownNames {
  readonly all: ReadonlySet<string>;
  /** Maximum number of dot-separated parts in a name. */
  readonly maxParts: number;
  /** Cache of names similar to an unknown name. */
  readonly near: Map<string, readonly string[]>;
}

/** State shared by all suggestions for one filter. Each name is looked up once, and all look-ups share one budget. */
export class NameSearch {
  private readonly effort: SearchEffort = createSearchEffort();
  private readonly positions = new Map<readonly string[], KnownNames>();

  at(names: readonly string[]): KnownNames {
    let known = this.positions.get(names);
    if (known === undefined) {
      const maxParts = names.reduce((max, name) => Math.max(max, name.split('.').length), 1);
      this.positions.set(names, (known = { all: new Set(names), maxParts, near: new Map() }));
    }
    return known;
  }

  near(written: string, names: readonly string[]): readonly string[] {
    const { near } = this.at(names);
    let found = near.get(written);
    if (found === undefined) near.set(written, (found = suggestNames(written, names, 3, this.effort)));
    return found;
  }
}

/** Maximum number of names listed in a hint. */
const maxListed = 12;

/**
 * Returns suggestions for a part of a selector that is not one of `names`. These are a similar name; a key with dots, which the
 * selector has split into parts; or the rest of the selector, if it begins with a word for the row itself. `meant` contains
 * existing paths, which are suggested first.
 */
export function nameFix(
  selector: Selector,
  part: number,
  names: readonly string[],
  noun: 'fields' | 'names' = 'names',
  search = new NameSearch(),
  meant: readonly (readonly string[])[] = [],
  level: Level = 1,
): Fix {
  const { path } = selector;
  const known = search.at(names);
  const withoutRow: readonly (readonly string[])[] = withoutRowName(path, part, known);
  const certain = [...meant, ...dottedKey(path, part, known), ...withoutRow];
  const near = search.near(path[part] ?? '', names);
  const [nearest = ''] = near;
  // If a name differs only in case, it is the only suggestion.
  const isSame = nearest.toLowerCase() === path[part]?.toLowerCase();
  const candidates =
    certain.length > 0 ? certain : (isSame ? [nearest] : near).map((name) => path.with(part, name));
  const suggestions = candidates
    .filter((candidate) => !isSamePath(candidate, path))
    .flatMap((candidate) => {
      const suggestions = rewritePath(selector, part, candidate, level);
      // `Groups.Name` may name a field that rows lack, in contrast to `job.Name`.
      const isGuess = withoutRow.includes(candidate) && /^[A-Z]/.test(path[0] ?? '');
      return isGuess ? suggestions.map((each) => ({ ...each, isGuess })) : suggestions;
    });
  const words = candidates.slice(0, 3).map((candidate) => renderPath(selector, part, candidate, level));
  if (words.length > 0) return { hint: `did you mean ${words.join(' or ')}?`, suggestions };
  return { hint: listNames(names, noun), suggestions: [] };
}

/**
 * Returns the correction of `Status in running` and `running == Status`, where Status is a field and `running` was meant as a
 * string; null for any other match.
 */
export function swappedFix(
  match: MatchExpression | null,
  names: readonly string[],
  level: Level = 1,
): Fix | null {
  if (match === null || match.aspect !== 'value') return null;
  const keyed = level === 0 ? null : (negatedKeyFix(match, names) ?? listedKeyFix(match, names));
  if (keyed !== null || !swappable.has(match.operator)) return keyed;
  const { selector, span } = match;
  const literal = literalOf(match);
  const [word = '', ...more] = selector.path;
  if (literal?.form !== 'bare' || selector.form !== 'bexpr' || more.length > 0) return null;
  const [field = ''] = literal.text.split('.');
  if (!names.includes(field)) return null;
  const isSearch = match.operator === 'in' || match.operator === 'not in';
  const sign = match.operator === 'in' || match.operator === '==' ? '==' : '!=';
  const text = `${literal.text} ${sign} ${word}`;
  const suggestion = suggest(span, text);
  if (!isSearch)
    return { hint: `the field goes first: ${text}`, suggestions: [{ ...suggestion, isGuess: true }] };
  return {
    hint: `${word} is a field name here: ${text} compares with that string, ${literal.text} ${match.operator} [${word}, ...] with several`,
    suggestions: [suggestion],
  };
}

/** Returns the correction of `not ["First Name"] == x`, where a comparison of the field in brackets was to be negated. */
function negatedKeyFix(match: MatchExpression, names: readonly string[]): Fix | null {
  const { selector, span } = match;
  const [first, ...path] = selector.path;
  if (first !== 'not' || selector.form !== 'bexpr' || !names.includes(path[0] ?? '')) return null;
  const text = `not (${print({ ...match, selector: makeSelector('bexpr', path, [], selector.span) })})`;
  return {
    hint: `not before a bracket is the name of a field; to negate, write ${text}`,
    suggestions: [suggest(span, text)],
  };
}

/** Returns the correction of `x in ["Tag List"]`, where the brackets were meant as a field. */
function listedKeyFix(
  { selector, operator, value, span }: MatchExpression,
  names: readonly string[],
): Fix | null {
  const [element, ...others] = value?.kind === 'list' ? value.elements : [];
  const [word = '', ...more] = selector.path;
  if (element === undefined || others.length > 0 || more.length > 0 || !names.includes(element.text))
    return null;
  const not = operator === 'not in [..]' ? 'not ' : '';
  const text = `${fieldPathText([element.text])} ${not}contains ${isPlainName(word) ? word : quote(word)}`;
  return {
    hint: `after in, a bracket begins a list of values; write the field first: ${text}`,
    suggestions: [suggest(span, text)],
  };
}

const swappable: ReadonlySet<string> = new Set(['in', 'not in', '==', '!=']);

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

/** Returns `Meta.cost.center` with `cost.center` as one key, if there is such a key. */
function dottedKey(path: readonly string[], part: number, { all, maxParts }: KnownNames): string[][] {
  for (let end = Math.min(path.length, part + maxParts); end > part + 1; end -= 1) {
    const key = path.slice(part, end).join('.');
    if (all.has(key)) return [[...path.slice(0, part), key, ...path.slice(end)]];
  }
  return [];
}

/** Returns `job.Status` without `job`, if the row has a field `Status`. */
function withoutRowName(path: readonly string[], part: number, { all }: KnownNames): string[][] {
  const [, second] = path;
  return part === 0 && second !== undefined && all.has(second) ? [path.slice(1)] : [];
}

function listNames(names: readonly string[], noun: string): string | null {
  if (names.length === 0) return null;
  const listed = names.slice(0, maxListed).map(nameText).join(', ');
  return `the ${noun} here are ${listed}${names.length > maxListed ? ', …' : ''}`;
}

const maxQuotedLength = 64;

/** Returns a name that is safe to print. */
function nameText(name: string): string {
  if (isPlainName(name) && name.length <= maxQuotedLength) return name;
  return quoteGo(name.length > maxQuotedLength ? `${name.slice(0, maxQuotedLength - 1)}…` : name);
}

/** Returns a candidate as shown in a hint: the name alone if nothing else changes. */
function renderPath(selector: Selector, part: number, candidate: readonly string[], level: Level): string {
  const isRenamed = candidate.length === selector.path.length && isPlainName(candidate[part] ?? '');
  const text = isRenamed ? null : pathText(selector, candidate, level);
  return text ?? nameText(candidate[part] ?? '');
}

/** Returns a suggestion that replaces the path of a selector; none if the language cannot express the path. */
function rewritePath(selector: Selector, part: number, path: readonly string[], level: Level): Suggestion[] {
  const name = path[part] ?? '';
  const span = selector.partSpans[part] ?? selector.span;
  // If a first key in brackets becomes a name, the brackets are removed too.
  const isKeyed = part === 0 && selector.form === 'bexpr' && span.start !== selector.span.start;
  if (path.length === selector.path.length && isPlainName(name) && !name.includes('/') && !isKeyed) {
    const written = selector.path[part] ?? '';
    const isBare = selector.form === 'pointer' || span.end - span.start === written.length;
    return [suggest(span, isBare ? name : `"${name}"`, `write ${name}`)];
  }
  const text = pathText(selector, path, level);
  return text === null ? [] : [suggest(selector.span, text)];
}

/** Returns a path as filters write it: at level 0 as a pointer if it does not begin with a name. Null if that is impossible. */
function pathText({ form, span }: Selector, path: readonly string[], level: Level = 1): string | null {
  const [first = ''] = path;
  if (form === 'bexpr' && (isPlainName(first) || (level > 0 && isFieldName(first))))
    return fieldPathText(path);
  if (pointerTo(path) !== null) return print(makeSelector('pointer', [...path], [], span));
  return level > 0 && path.length > 0 ? fieldPathText(path) : null;
}

/**
 * Returns the correction of `Meta.cost.center` if Meta is a map of strings, so that `cost.center` must be one key. `part` is the
 * index of the first part of the key.
 */
export function joinedKeyFix(selector: Selector, part: number): Fix {
  const path = [...selector.path.slice(0, part), selector.path.slice(part).join('.')];
  const text = pathText(selector, path);
  if (text === null) return { hint: null, suggestions: [] };
  return {
    hint: `write a key that contains dots in brackets: ${text}`,
    suggestions: [suggest(selector.span, text)],
  };
}

/** Returns the hint for reading a name of a value that a row may lack. */
export function absenceFix(selector: Selector, part: number): Fix {
  const name = pathText(selector, selector.path.slice(0, part));
  const hint = name === null ? null : `first test that it is there: ${name} is not nil and …`;
  return { hint, suggestions: [] };
}

const sizeWords: ReadonlySet<string> = new Set(['length', 'len', 'size', 'count']);

const elementHint = 'select an element by its index (L.0) or test all of them: any L as x { x == "..." }';

/** Returns suggestions for reading a name of a list: test its elements instead. */
export function elementFix(selector: Selector, part: number, match: MatchExpression | null): Fix {
  const list = selector.path.slice(0, part);
  const name = pathText(selector, list);
  if (name === null || match === null || match.selector !== selector)
    return { hint: elementHint, suggestions: [] };
  const word = selector.path[part] ?? '';
  const isLast = part === selector.path.length - 1;
  // `Groups.Count` is more likely a field of the elements than a size.
  if (isLast && sizeWords.has(word)) return sizeFix(match, name);
  const element = elementName(list);
  // A star means every element.
  const rest = selector.path.slice(/^[*#]?$/.test(word) ? part + 1 : part);
  const inner = makeSelector('bexpr', [element, ...rest], [], selector.span);
  const body = print({ ...match, selector: inner });
  const kinds = formOf(match.operator).negated ? (['all', 'any'] as const) : (['any', 'all'] as const);
  const texts = kinds.map((kind) => `${kind} ${name} as ${element} { ${body} }`);
  return {
    hint: `select an element by its index (${name}.0) or test all of them: ${texts[0] ?? ''}`,
    suggestions: texts.map((text) => suggest(match.span, `(${text})`, `write ${text}`)),
  };
}

/** Returns suggestions for `Tags.length == 0`: a form that both dialects support. The hint mentions `len(Tags)`. */
function sizeFix(match: MatchExpression, name: string): Fix {
  const { operator, span } = match;
  const hint = `the size of a list is len(${name}); to test whether it has elements, use ${name} is not empty`;
  if (literalOf(match)?.text !== '0' || (operator !== '==' && operator !== '!='))
    return { hint, suggestions: [] };
  const text = `${name} is ${operator === '==' ? '' : 'not '}empty`;
  return { hint, suggestions: [suggest(span, text)] };
}
