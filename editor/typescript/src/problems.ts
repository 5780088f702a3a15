import { diagnostics } from 'tamis/editor';
import { lint } from 'tamis/lint';
import { FilterError, type Dialect, type Level, type Schema, type Span, type Suggestion } from 'tamis';
import type { FilterText } from './find-filters.js';
import type { SourceChange, SourceRange } from './literal-text.js';
import { Remembered } from './remembered.js';

/** A mistake in a filter, or what is probably not meant, by its place in the source of the program. */
export interface FilterProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** UTF-16 offsets in the file. Never empty. */
  readonly start: number;
  readonly end: number;
  /** What is wrong and what to do instead, for people. */
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** A correction ready to apply. */
export interface Fix extends SourceChange {
  readonly title: string;
}

/** What is wrong within a text, by offsets in it. */
interface TextProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly span: Span;
  readonly message: string;
  readonly suggestions: readonly Suggestion[];
}

/**
 * Results by schema and source: typing in one literal of a file does not check the others again. An unknown schema counts as one.
 */
const results = new WeakMap<object, Remembered<readonly TextProblem[]>>();
const noSchema = {};
/** A document of the largest size, with its keys, fits. */
const maxRemembered = 4_000_000;
/** Longer sources are not cached: the engine rejects them at once. */
const maxRememberedLength = 10_000;

/** All problems of the filters of a file. Those of a constant shared by several filters are reported once. */
export function problemsIn(filters: readonly FilterText[]): readonly FilterProblem[] {
  const reported = new Map<string, FilterProblem>();
  for (const problem of filters.flatMap((each) => problemsOf(each))) {
    const key = `${problem.start} ${problem.end} ${problem.message}`;
    if (!reported.has(key)) reported.set(key, problem);
  }
  return [...reported.values()];
}

/** All that is wrong with a filter, and what is probably not meant. In the order of the source. */
export function problemsOf(filter: FilterText): readonly FilterProblem[] {
  const { literal, holes } = filter;
  const isInHole = ({ start, end }: Span): boolean =>
    holes.some((hole) => start < hole.end && end > hole.start);
  return textProblems(filter)
    .filter(({ span }) => !isInHole(span))
    .map(({ span, suggestions, ...problem }) => ({
      ...problem,
      ...visibleRange(filter, span),
      fixes: suggestions.flatMap(({ title, span: position, replacement }) => {
        const change = isInHole(position) ? null : literal.change(position.start, position.end, replacement);
        return change === null ? [] : [{ title, ...change }];
      }),
    }));
}

/** What is underlined: never nothing. */
function visibleRange({ literal }: FilterText, { start, end }: Span): SourceRange {
  const { length } = literal.text;
  // At the end of a text that is not finished its last character is shown; of an empty one, its quote.
  const from = start === end && start === length ? Math.max(start - 1, 0) : start;
  const range = literal.rangeOf(from, end);
  return { start: range.start, end: Math.max(range.end, range.start + 1) };
}

function textProblems(filter: FilterText): readonly TextProblem[] {
  const { schema, level, dialect, allowUnknownFields, literal } = filter;
  if (literal.text.length > maxRememberedLength) return request(filter);
  const key = JSON.stringify([literal.text, level, dialect, allowUnknownFields]);
  return resultsFor(schema ?? noSchema).get(key, () => request(filter));
}

function resultsFor(schema: object): Remembered<readonly TextProblem[]> {
  const known = results.get(schema);
  if (known !== undefined) return known;
  const made = new Remembered<readonly TextProblem[]>(maxRemembered);
  results.set(schema, made);
  return made;
}

function request(filter: FilterText): readonly TextProblem[] {
  const { allowUnknownFields } = filter;
  const { text } = filter.literal;
  const options = languageOf(filter);
  const problems = diagnostics(text, {
    ...options,
    ...(allowUnknownFields === true && { allowUnknownFields }),
  });
  const found = problems.map(({ severity, code, span, label, hint, suggestions }): TextProblem => {
    return { severity, code, span, message: sentence(label, hint), suggestions };
  });
  if (problems.some(({ severity }) => severity === 'error')) return found;
  const seen = new Set(problems.map(({ span }) => span.start));
  const findings = findingsOf(text, options).filter(
    // Portability is checked only with `portable`.
    ({ code, span }) => code !== 'not-portable' && !(code === 'never-equal' && seen.has(span.start)),
  );
  const suspicious = findings.map(({ code, span, label, message, hint, suggestions }): TextProblem => {
    return { severity: 'warning', code, span, message: sentence(`${message}: ${label}`, hint), suggestions };
  });
  return [...found, ...suspicious].sort((a, b) => a.span.start - b.span.start);
}

function findingsOf(text: string, options: Parameters<typeof lint>[1]): ReturnType<typeof lint> {
  try {
    return lint(text, options);
  } catch (error) {
    if (error instanceof FilterError) return [];
    throw error;
  }
}

/** The kind of row, for functions of the editor. */
export function schemaOf({ schema }: FilterText): { schema?: Schema } {
  return schema === null ? {} : { schema };
}

/** The kind of row and the language, for functions of the editor. */
export function languageOf(filter: FilterText): { schema?: Schema; level?: Level; dialect?: Dialect } {
  const { level, dialect } = filter;
  return {
    ...schemaOf(filter),
    ...(level !== undefined && { level }),
    ...(dialect !== undefined && { dialect }),
  };
}

function sentence(label: string, hint: string | null): string {
  return hint === null ? label : `${label}; ${hint}`;
}
