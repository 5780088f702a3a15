import { FilterSyntaxError, parse } from '../index.js';
import { eachElement, type CatalogPath, type FieldCatalog } from './field-catalog.js';

/** What could stand instead of `fragment`, the end of the line. */
export interface Completion {
  readonly candidates: readonly string[];
  readonly fragment: string;
}

/** Completes a line by what the grammar expects there: a field name, an operator, a value that the field has. */
export function completeLine(line: string, catalog: FieldCatalog): Completion {
  const start = fragmentStart(line);
  const fragment = line.slice(start);
  const before = line.slice(0, start);
  const expected = expectedAfter(before);
  const candidates: string[] = [];
  if (expected.includes('a selector') && !fragment.startsWith('"')) {
    candidates.push(...completeSelector(fragment, readBindings(before), catalog));
  }
  if (expected.includes('a value')) candidates.push(...completeValue(before, fragment, catalog));
  if (fragment !== '' || !expected.includes('a selector')) {
    candidates.push(...wordsAmong(expected).filter((word) => word.startsWith(fragment)));
  }
  return { candidates: [...new Set(candidates)], fragment };
}

const selectorAtEnd = /[A-Za-z][\w/]*(?:\.[\w/]*|\["[^"]*(?:"\]?)?)*$/;
const wordAtEnd = /[A-Za-z][\w/]*$|(?<![=!])[=!]$/;

/** Where the word, selector or string begins that the line ends in. */
function fragmentStart(line: string): number {
  const quote = openQuote(line);
  if (quote !== null && line[quote - 1] !== '[') return quote;
  return (selectorAtEnd.exec(line) ?? wordAtEnd.exec(line))?.index ?? line.length;
}

/** The place of a double quote that is not closed yet. */
function openQuote(line: string): number | null {
  const quoted = /"(?:[^"\\]|\\.)*("?)|`[^`]*(`?)/g;
  for (const match of line.matchAll(quoted)) {
    const isClosed = match[0].startsWith('"') ? match[1] === '"' : match[2] === '`';
    if (!isClosed) return match.index;
  }
  return null;
}

/** What the grammar expects behind a text: words in quotes, and kinds such as `a selector`. Nothing behind nonsense. */
function expectedAfter(text: string): readonly string[] {
  if (text.trim() === '') return ['a selector', '"not"', '"any"', '"all"'];
  // The grammar takes a last `not` for a field of that name, which nobody means.
  const negated = /^(.*?)(?:\bnot\s+)+$/s.exec(text)?.[1];
  const operand = negated === undefined ? [] : expectedAfter(negated);
  if (operand.includes('a selector')) return operand;
  try {
    parse(text);
    return /\s$/.test(text) ? ['"and"', '"or"'] : [];
  } catch (error) {
    const isAtEnd = error instanceof FilterSyntaxError && error.span.start >= text.trimEnd().length;
    return isAtEnd ? error.expected : [];
  }
}

function wordsAmong(expected: readonly string[]): string[] {
  return expected.flatMap((each) => (/^"(?:[a-z]+|[=!]=)"$/.test(each) ? [each.slice(1, -1)] : []));
}

/** Names that stand for a place in the rows, inside of `any` and `all`. */
type Bindings = ReadonlyMap<string, CatalogPath>;

const collection = /\b(?:any|all)\s+([A-Za-z][\w/.]*)\s+as\s+(\w+)\s*(?:,\s*(\w+)\s*)?\{|[{}]/g;

/** The bindings whose braces are still open at the end of the text. */
function readBindings(text: string): Bindings {
  const plain = text.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, (quoted) => quoted.replace(/[{}]/g, ' '));
  const open: [string, CatalogPath][] = [];
  for (const [whole, selector, first = '', second] of plain.matchAll(collection)) {
    if (whole === '}') open.pop();
    else if (selector === undefined) open.push(['', []]);
    else open.push([second ?? first, [...resolve(selector.split('.'), new Map(open)), eachElement]]);
  }
  return new Map(open);
}

/** A path with its binding, if it begins with one, replaced by what it stands for. */
function resolve(path: CatalogPath, bindings: Bindings): CatalogPath {
  const [first, ...rest] = path;
  const bound = typeof first === 'string' ? bindings.get(first) : undefined;
  return bound === undefined ? path : [...bound, ...rest];
}

const plainName = /^[A-Za-z][\w/]*$/;

function completeSelector(fragment: string, bindings: Bindings, catalog: FieldCatalog): string[] {
  const cut = Math.max(fragment.lastIndexOf('.'), fragment.lastIndexOf('['));
  const isInside = cut !== -1 && !/\]$/.test(fragment);
  const base = isInside ? fragment.slice(0, cut) : '';
  const partial = isInside ? fragment.slice(cut + 1).replace(/^"/, '') : fragment;
  const path = base === '' ? [] : resolve(readSelector(base), bindings);
  const names = catalog.children(path).map(({ name }) => name);
  if (base === '') names.push(...[...bindings.keys()].filter((name) => name !== ''));
  const matching = startingWith(names, partial);
  return matching.flatMap((name) => {
    if (fragment[cut] !== '[' && plainName.test(name)) return base === '' ? name : `${base}.${name}`;
    // A name that is no plain word has to stand in brackets, which the first part of a selector cannot.
    return base === '' || /["\\]/.test(name) ? [] : `${base}["${name}"]`;
  });
}

/** The names that begin with a text, else those that do but for case. */
function startingWith(names: readonly string[], beginning: string): string[] {
  const exact = names.filter((name) => name.startsWith(beginning));
  if (exact.length > 0) return exact;
  const folded = beginning.toLowerCase();
  return names.filter((name) => name.toLowerCase().startsWith(folded));
}

function readSelector(text: string): string[] {
  return [...text.matchAll(/\["([^"]*)"\]|([\w/]+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

const comparison = /([A-Za-z][\w/]*(?:\.[\w/]+|\["[^"]*"\])*)\s*(?:==|!=|\bnot\s+contains|\bcontains)\s*$/;

/** The values that the field in front of the operator has. */
function completeValue(before: string, fragment: string, catalog: FieldCatalog): string[] {
  const selector = comparison.exec(before)?.[1];
  if (selector === undefined) return [];
  const path = resolve(readSelector(selector), readBindings(before));
  return catalog
    .values(path)
    .map((text) => JSON.stringify(text))
    .filter((text) => text.startsWith(fragment) || text.slice(1).startsWith(fragment));
}
