import { FilterLimitError, type LimitErrorCode } from './diagnostics/errors.js';
import type { Limits } from './diagnostics/limits.js';
import { checkOptions, isPromise, limitsOf } from './diagnostics/options.js';
import type { Span } from './diagnostics/span.js';
import { hintProvider, type HintProvider } from './syntax/advice.js';
import type { Expression } from './syntax/ast.js';
import { ParserFailure } from './syntax/failure.js';
import type { FieldKnowledge } from './syntax/field-knowledge.js';
import { sharedParser } from './syntax/parser.js';
import type { OnTerm } from './syntax/value-rules.js';
import { looksLikeTree, textOfTree } from './syntax/read-tree.js';
import { DialectChecker } from './syntax/dialect-checker.js';
import { isLevelOne } from './hints/level-one.js';
import { syntaxError } from './syntax/syntax-error.js';
import type { Dialect, Level, Relaxation } from './syntax/dialect.js';
import { tokenize } from './syntax/lexer.js';
import * as type from './syntax/tokens.js';
import { spanOf, type Token } from './syntax/tokens.js';

export interface ParseOptions {
  /** Default: `standard`. */
  readonly dialect?: Dialect;
  /** Default: 1. Level 0 rejects what go-bexpr lacks, as does the dialect `go-bexpr`. */
  readonly level?: Level;
  /** Limits of the source. Omitted ones have defaults. */
  readonly limits?: Partial<Limits>;
}

/** The language features that a source can use. */
export type Language = Pick<ParseOptions, 'dialect' | 'level'>;

/** A parsed filter. Frozen. */
export interface ParsedFilter {
  readonly source: string;
  readonly dialect: Dialect;
  readonly ast: Expression;
  /** The parts of the source that only the `standard` dialect accepts, in source order. Always empty in `go-bexpr`. */
  readonly relaxations: readonly Relaxation[];
}

/**
 * Parses a filter expression and returns its tree, with the relaxations that it uses. Takes time linear in the length of the
 * source.
 *
 * @throws FilterSyntaxError if the source is not a valid filter in the dialect.
 * @throws FilterLimitError when it is longer, deeper or has more terms than the limits allow, or is nested more deeply than
 *   the call stack can follow (`limit` is then Infinity: no option helps).
 * @throws TypeError if `source` is not a string or an option has the wrong type.
 */
export function parse(source: string, options: ParseOptions = {}): ParsedFilter {
  checkOptions('parse', options, ['dialect', 'level', 'limits']);
  return parseWithFields(null, source, options, limitsOf(options.limits));
}

/**
 * A filter's source; a parsed filter, as returned by `parse`, `where` and the template tag `filter`; or a tree, as returned by
 * `rewrite`.
 */
export type FilterSource = string | ParsedFilter | Expression;

/**
 * Returns a parsed filter unchanged; parses a source, or the printed source of a tree. @throws TypeError if the value is not a
 * filter.
 */
export function parsedOf(caller: string, filter: FilterSource, options: ParseOptions): ParsedFilter {
  if (typeof filter === 'string') return parse(filter, options);
  if (looksLikeTree(filter)) return parse(textOfTree(caller, filter, limitsOf(options.limits)), options);
  if (typeof filter === 'object' && filter !== null && 'ast' in filter && 'source' in filter) return filter;
  throw new TypeError(`${caller}: expected the text of a filter, or a parsed one, not ${describe(filter)}`);
}

/** Returns the source of a filter and the dialect it was parsed in. Other values are passed on to `parse`, which rejects them. */
export function sourceOf(
  caller: string,
  filter: FilterSource,
  limits: Limits,
): Pick<ParsedFilter, 'source' | 'dialect'> {
  if (looksLikeTree(filter)) return { source: textOfTree(caller, filter, limits), dialect: 'standard' };
  const isParsed = typeof filter === 'object' && filter !== null && 'source' in filter && 'dialect' in filter;
  return isParsed ? filter : { source: filter as string, dialect: 'standard' };
}

/** As {@link parse}, with complete limits; suggestions take the fields into account, if they are known. */
export function parseWithFields(
  fields: FieldKnowledge | null,
  source: string,
  language: Language,
  { maxLength, maxDepth, maxTerms }: Limits,
  hintFor: HintProvider | null = hintProvider(),
): ParsedFilter {
  if (typeof source !== 'string') {
    const got = isPromise(source) ? 'a promise; await it first' : describe(source);
    throw new TypeError(`A filter must be a string, got ${got}.`);
  }
  const { dialect = 'standard' } = language;
  const level = levelOf(language);

  if (source.length > maxLength) {
    const span = { start: maxLength, end: source.length };
    throw tooMuch(
      source,
      'too-long',
      span,
      maxLength,
      `the expression is longer than ${maxLength} characters`,
    );
  }
  const tokens = tokenize(source, level);
  const tooDeep = findTooDeep(tokens, maxDepth);
  if (tooDeep !== null) {
    throw tooMuch(
      source,
      'too-deep',
      spanOf(tooDeep),
      maxDepth,
      `the expression is nested more than ${maxDepth} deep`,
    );
  }
  const countTerm: OnTerm = (count, first, what) => {
    if (count <= maxTerms) return;
    throw tooMuch(
      source,
      'too-many-terms',
      spanOf(first),
      maxTerms,
      `the expression has more than ${maxTerms} ${what}`,
    );
  };
  try {
    const checker = new DialectChecker(source, dialect);
    const ast = sharedParser().read(source, level, checker, countTerm, tokens);
    return Object.freeze({ source, dialect, ast, relaxations: checker.finish() });
  } catch (error) {
    if (error instanceof ParserFailure) {
      const reading = {
        level,
        attempt: (text: string) => attempt(text, dialect, level),
        levelOneUses: () => (level > 0 ? [] : levelOneUses(source)),
      };
      const advice = hintFor?.(source, error.failure, reading, fields) ?? null;
      throw syntaxError(source, error.failure, level, advice);
    }
    // The only possible RangeError is stack exhaustion, which `maxDepth: Infinity` permits.
    if (error instanceof RangeError) {
      const span = { start: 0, end: source.length };
      throw tooMuch(
        source,
        'too-deep',
        span,
        Infinity,
        'the expression is nested deeper than the call stack allows',
      );
    }
    throw error;
  }
}

/** The level 1 features used by a source that level 0 rejects; empty if level 1 rejects it too. */
function levelOneUses(source: string): readonly Relaxation[] {
  const checker = new DialectChecker(source, 'standard');
  try {
    sharedParser().read(source, 1, checker, () => undefined);
    return checker.finish().filter(({ kind }) => isLevelOne(kind));
  } catch (error) {
    if (error instanceof ParserFailure || error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns the level at which a source is parsed. */
export function levelOf({ dialect, level = 1 }: Language): Level {
  return dialect === 'go-bexpr' ? 0 : level;
}

/** Parses a corrected source: returns the tree, or the offset of its first mistake. */
function attempt(source: string, dialect: Dialect, level: Level): Expression | number {
  try {
    const checker = new DialectChecker(source, dialect);
    return sharedParser().read(source, level, checker, () => undefined);
  } catch (error) {
    return error instanceof ParserFailure ? error.failure.span.start : -1;
  }
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : value === null ? 'null' : typeof value;
}

function tooMuch(
  source: string,
  code: LimitErrorCode,
  span: Span,
  limit: number,
  goMessage: string,
): FilterLimitError {
  const label = Number.isFinite(limit) ? `the limit is ${limit}` : 'too deep';
  const diagnostic = { code, goMessage, span, label, hint: null, suggestions: [] };
  return new FilterLimitError(source, diagnostic, limit);
}

const openers = type.indexesOf(type.LeftParen, type.LeftBrace);
const closers = type.indexesOf(type.RightParen, type.RightBrace);
const connectives = type.indexesOf(type.And, type.Or);

/**
 * Returns the first parenthesis, brace or `not` that is nested deeper than `max`; null if none exists. A `not` counts if it can
 * negate, that is, before an operand.
 */
function findTooDeep(tokens: readonly Token[], max: number): Token | null {
  // Each level needs a token.
  if (tokens.length <= max) return null;
  const outer: number[] = [];
  let floor = 0;
  let depth = 0;
  let startsOperand = true;
  for (const token of tokens) {
    const index = token.tokenTypeIdx;
    const isNegation: boolean = startsOperand && index === type.Not.tokenTypeIdx;
    const opens = openers.has(index);
    const joins = connectives.has(index);
    startsOperand = isNegation || opens || joins;
    if (isNegation || opens) {
      depth += 1;
      if (depth > max) return token;
    }
    if (opens) {
      outer.push(floor);
      floor = depth;
    } else if (joins) {
      depth = floor;
    } else if (closers.has(index)) {
      depth = floor = outer.pop() ?? 0;
    }
  }
  return null;
}
