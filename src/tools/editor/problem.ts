import {
  FilterError,
  FilterSyntaxError,
  type FilterErrorCode,
  type Suggestion,
} from '../../language/diagnostics/errors.js';
import type { Limits } from '../../language/diagnostics/limits.js';
import { checkOptions, limitsOf } from '../../language/diagnostics/options.js';
import type { Span } from '../../language/diagnostics/span.js';
import { analyse } from '../../language/schema/analysis.js';
import { check } from '../../language/schema/check.js';
import { knowledgeOf } from '../../language/schema/knowledge.js';
import type { Schema } from '../../language/schema/schema.js';
import { anyType } from '../../language/schema/type.js';
import { findUnequalLiterals, type UnequalLiteral } from '../../language/schema/unequal-literal.js';
import { levelOf, parseWithFields } from '../../language/parse.js';
import { provideHint } from '../../language/hints/hint-provider.js';
import { print } from '../../language/syntax/print.js';
import { isLevelOne, levelOneLabel, type LevelOneKind } from '../../language/hints/level-one.js';
import type { Dialect, Level, RelaxationKind } from '../../language/syntax/dialect.js';
import { closersFor } from './completion-context.js';
import { readText } from './validate-arguments.js';

/** A problem in a source, to be underlined in an editor. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: FilterErrorCode | RelaxationKind | UnequalLiteral['code'];
  /** UTF-16 offsets. Empty at the end of an incomplete source. */
  readonly span: Span;
  /** A one-line message; for an error including the position and the hint. */
  readonly message: string;
  /** A short label to show at the position. */
  readonly label: string;
  readonly hint: string | null;
  /** Corrections ready to apply. */
  readonly suggestions: readonly Suggestion[];
}

export interface DiagnosticsOptions {
  readonly schema?: Schema | undefined;
  readonly dialect?: Dialect;
  /** Default: 1. Level 0 rejects features that go-bexpr lacks. */
  readonly level?: Level;
  readonly limits?: Partial<Limits>;
  /** Whether missing fields have a value, so that unknown names are not errors. */
  readonly allowUnknownFields?: boolean;
  /** Whether to return warnings about syntax that only the `standard` dialect parses this way. */
  readonly portable?: boolean;
}

/**
 * Returns the problems in a source, in source order: contradictions of the schema or, if the source cannot be parsed, the
 * contradictions in the complete comparisons before the syntax error, and that error. If a limit is exceeded, returns a single
 * error. Literals that no value of their field's kind equals are warnings. A valid filter has no errors. An empty source is not
 * valid.
 *
 * @throws TypeError if an argument has the wrong type; nothing else.
 */
export function diagnostics(text: string, options: DiagnosticsOptions = {}): readonly Problem[] {
  readText(text);
  checkOptions('diagnostics', options, [
    'schema',
    'dialect',
    'level',
    'limits',
    'allowUnknownFields',
    'portable',
  ]);
  const { portable, ...checked } = options;
  const { schema } = checked;
  try {
    const fields = schema === undefined ? null : knowledgeOf(schema.root);
    const parsed = parseWithFields(fields, text, checked, limitsOf(checked.limits), provideHint);
    const errors = check(parsed, checked).map((each) => problemOf(each));
    const { dialect } = parsed;
    const level = levelOf({ dialect, level: checked.level ?? 1 });
    const unequal = findUnequalLiterals(parsed.ast, analyse(schema?.root ?? anyType, level), level).map(
      (each): Problem => ({ ...each, severity: 'warning' }),
    );
    const relaxations = portable === true ? parsed.relaxations : [];
    const unportable = relaxations.map(({ kind, span }): Problem => {
      const label = isLevelOne(kind) ? levelOneLabel(kind) : relaxed[kind];
      return { severity: 'warning', code: kind, span, message: label, label, hint: null, suggestions: [] };
    });
    return [...errors, ...unequal, ...unportable].sort((a, b) => a.span.start - b.span.start);
  } catch (error) {
    if (error instanceof FilterSyntaxError)
      return [...mistakesBefore(text, error.span.start, checked), problemOf(error)];
    if (error instanceof FilterError) return [problemOf(error)];
    throw error;
  }
}

/** Maximum number of connectives before a syntax error at which the source is cut and parsed again. */
const maxCuts = 4;

/** Returns the errors in the complete comparisons before a syntax error. Empty without a schema. */
function mistakesBefore(text: string, end: number, options: Omit<DiagnosticsOptions, 'portable'>): Problem[] {
  if (options.schema === undefined) return [];
  const connectives = [...text.slice(0, end).matchAll(/\s(?:and|or)(?=\s|$)/g)].slice(-maxCuts);
  for (const { index } of connectives.reverse()) {
    const head = text.slice(0, index);
    try {
      const parsed = parseWithFields(null, head + closersFor(head), options, limitsOf(options.limits), null);
      return check(parsed, options)
        .filter(({ span }) => span.end <= index)
        .map((each) => problemOf(each));
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
    }
  }
  return [];
}

const relaxed: Readonly<Record<Exclude<RelaxationKind, LevelOneKind>, string>> = {
  'missing-whitespace': 'go-bexpr needs whitespace here',
  'extra-whitespace': 'go-bexpr allows no whitespace here',
  'bare-collection': 'go-bexpr needs parentheses around this',
  'escaped-quote': 'go-bexpr ends the literal at this quote; write \\x22',
  'abandoned-reading': 'go-bexpr refuses this reading',
  'quoted-pointer-value': 'go-bexpr reads this as a pointer: use backticks for both to read a string',
};

function problemOf({ code, span, message, label, hint, suggestions }: Omit<Problem, 'severity'>): Problem {
  return { severity: 'error', code, span, message, label, hint, suggestions };
}

export interface Formatted {
  /** The canonical source, or the original one if it is not a valid filter. */
  readonly text: string;
  /** The reason why it is not a valid filter; null if it is. */
  readonly problem: Problem | null;
}

/**
 * Returns a filter formatted as `print` does. An invalid or unfinished filter is returned unchanged.
 *
 * @throws TypeError if an argument has the wrong type; nothing else.
 */
export function format(
  text: string,
  options: Pick<DiagnosticsOptions, 'dialect' | 'level' | 'limits'> = {},
): Formatted {
  readText(text);
  checkOptions('format', options, ['dialect', 'level', 'limits']);
  try {
    return {
      text: print(parseWithFields(null, text, options, limitsOf(options.limits), provideHint).ast),
      problem: null,
    };
  } catch (error) {
    if (error instanceof FilterError) return { text, problem: problemOf(error) };
    throw error;
  }
}
