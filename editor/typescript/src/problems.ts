import { diagnostics } from 'tamis/editor';
import { lint } from 'tamis/lint';
import { FilterError, type Schema, type Span, type Suggestion } from 'tamis';
import type { FilterText } from './find-filters.js';

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
export interface Fix {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
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
 * Answers by schema and text: who types in one literal of a file does not ask anew about the others. A schema that is not
 * known counts as one.
 */
const answers = new WeakMap<object, Map<string, readonly TextProblem[]>>();
const noSchema = {};
const mostAnswers = 2_000;
/** Longer texts are asked each time: the engine refuses them at once. */
const longestRemembered = 10_000;

/** All that is wrong with a filter, and what is probably not meant. In the order of the source. */
export function problemsOf(filter: FilterText): readonly FilterProblem[] {
  const { literal, holes } = filter;
  const isInHole = ({ start, end }: Span): boolean =>
    holes.some((hole) => start < hole.end && end > hole.start);
  return textProblems(filter)
    .filter(({ span }) => !isInHole(span))
    .map(({ span, suggestions, ...problem }) => ({
      ...problem,
      ...rangeOf(filter, span, true),
      fixes: suggestions.flatMap(({ title, span: place, replacement }) => {
        const text = isInHole(place) ? null : literal.write(replacement, place.start);
        return text === null ? [] : [{ title, ...rangeOf(filter, place, false), text }];
      }),
    }));
}

function rangeOf(
  { literal }: FilterText,
  { start, end }: Span,
  mustShow: boolean,
): { start: number; end: number } {
  const isEmpty = start === end;
  // At the end of a text that is not finished its last character is shown; of an empty one, its quote.
  const from = literal.sourceAt(
    mustShow && isEmpty && start === literal.text.length ? Math.max(start - 1, 0) : start,
  );
  const to = isEmpty && !mustShow ? from : literal.sourceAt(end);
  return { start: from, end: mustShow ? Math.max(to, from + 1) : to };
}

function textProblems(filter: FilterText): readonly TextProblem[] {
  const { schema, level, dialect, allowUnknownFields, literal } = filter;
  if (literal.text.length > longestRemembered) return ask(filter, schema);
  const own = remembered(schema ?? noSchema);
  const key = JSON.stringify([literal.text, level, dialect, allowUnknownFields]);
  const known = own.get(key);
  if (known !== undefined) return known;
  const found = ask(filter, schema);
  if (own.size >= mostAnswers) own.clear();
  own.set(key, found);
  return found;
}

function remembered(schema: object): Map<string, readonly TextProblem[]> {
  const known = answers.get(schema);
  if (known !== undefined) return known;
  const made = new Map<string, readonly TextProblem[]>();
  answers.set(schema, made);
  return made;
}

function ask(filter: FilterText, schema: Schema | null): readonly TextProblem[] {
  const { level, dialect, allowUnknownFields, literal } = filter;
  const options = {
    ...(schema !== null && { schema }),
    ...(level !== undefined && { level }),
    ...(dialect !== undefined && { dialect }),
  };
  const { text } = literal;
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
    // Whether others read it is for those who ask `portable`.
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

function sentence(label: string, hint: string | null): string {
  return hint === null ? label : `${label}; ${hint}`;
}
