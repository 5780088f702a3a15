import { chooseQuickCheck } from '../compile/describe.js';
import type { RecallRequest } from '../compile/execution.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import { createLoopVariable } from '../compile/frame/loop-variable.js';
import { isLongComparison } from '../compile/frame/meter.js';
import type { QuickTemplate } from '../compile/quick/check.js';
import type { CompiledExpression, Origin, ShapeKey } from '../compile/quick/compiled-expression.js';
import type { QuickExpression, QuickMatch, QuickPair, QuickWalk } from '../compile/quick/expression.js';
import type { Analysis } from '../../language/schema/analysis.js';
import { createMatchCheck } from '../../language/schema/check.js';
import { createPatternTable } from '../../language/schema/pattern-table.js';
import type { Type } from '../../language/schema/type.js';
import { literalsOf, type Expression, type MatchExpression, type Value } from '../../language/syntax/ast.js';
import { makeMatch, makeValue, makeValueList } from '../../language/syntax/factory.js';
import { splitLiterals, type CutLiteral } from '../../language/syntax/split-literals.js';
import { computeShape } from './shape-key.js';

/** The filters of a schema, without their literals, whose shape has code. */
export interface PreparedFilters {
  /** Stores a filter, so that others that differ only in their literals are recalled. */
  readonly store: (expression: CompiledExpression, shape: ShapeKey) => void;
  /** Returns the expression of a filter that differs from a stored one only in its literals; null if none is stored. */
  readonly recall: (request: RecallRequest) => CompiledExpression | null;
}

/**
 * A filter without its literals. It contains no literal of any filter: `matches` have empty ones, and checks are chosen again for
 * each filter.
 */
interface PreparedFilter {
  readonly bytes: number;
  /** Whether it was recalled since it was last considered for eviction. */
  isUsed: boolean;
  readonly shape: Pick<ShapeKey, 'signature' | 'names'>;
  readonly matches: readonly PreparedMatch[];
  readonly checks: readonly PreparedCheck[];
  readonly context: Omit<CompileContext, 'patterns'>;
  readonly hasAccount: boolean;
  /** The values of the shape that are the same for all filters; undefined for others. */
  readonly constants: readonly unknown[];
  /** The indexes of the values that are careful closures of the filter, and of those that are loop variables. */
  readonly closures: readonly number[];
  readonly variables: readonly number[];
}

/** A match, and the analysis of the expression or the body that contains it. */
interface AnalysedMatch {
  readonly match: MatchExpression;
  readonly analysis: Analysis;
}

interface PreparedMatch extends AnalysedMatch {
  /** The index of each of its literals among those that were cut from the source; -1 for one that belongs to the rest. */
  readonly cuts: readonly number[];
}

interface PreparedCheck {
  /** The index of its first operand among the values. */
  readonly at: number;
  readonly matches: readonly number[];
  readonly type: Type;
  readonly template: QuickTemplate;
  readonly size: number;
  readonly isRepeated: boolean;
}

/** Measured memory of a prepared filter, and for each character of its source, in bytes. */
const bytesOfFilter = 2_000;
const bytesOfCharacter = 80;

/** Creates the cache of prepared filters, at most `maxBytes` for each schema. Unused ones are evicted first. */
export function createPreparedFilters(maxBytes: number): PreparedFilters {
  const caches = new WeakMap<Type, PreparedCache>();
  return {
    store(expression, shape) {
      const { origin, root } = expression;
      const split = origin === null ? null : splitLiterals(origin.context.policy.source);
      const prepared =
        origin === null || split === null ? null : prepare(expression, origin, shape, split.literals);
      if (origin === null || split === null || prepared === null) return;
      let cache = caches.get(root);
      if (cache === undefined) caches.set(root, (cache = new PreparedCache(maxBytes)));
      cache.add(`${origin.settings} ${split.rest}`, prepared);
    },
    recall(request) {
      const cache = caches.get(request.root);
      const split = cache === undefined ? null : splitLiterals(request.source);
      if (cache === undefined || split === null) return null;
      const prepared = cache.get(`${request.settings} ${split.rest}`);
      return prepared === null ? null : bind(prepared, request, split.literals);
    },
  };
}

class PreparedCache {
  private readonly filters = new Map<string, PreparedFilter>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): PreparedFilter | null {
    const found = this.filters.get(key);
    if (found === undefined) return null;
    found.isUsed = true;
    return found;
  }

  add(key: string, filter: PreparedFilter): void {
    if (filter.bytes > this.maxBytes || this.filters.has(key)) return;
    this.filters.set(key, filter);
    this.bytes += filter.bytes;
    for (const [oldest, other] of this.filters) {
      if (this.bytes <= this.maxBytes) return;
      this.filters.delete(oldest);
      if (other.isUsed) this.filters.set(oldest, other);
      else this.bytes -= other.bytes;
      other.isUsed = false;
    }
  }
}

/** Removes the literals of a filter; null if one affects more than its check. */
function prepare(
  expression: CompiledExpression,
  { ast, context, limits, settings }: Origin,
  { signature, names, values }: ShapeKey,
  cut: readonly CutLiteral[],
): PreparedFilter | null {
  const found = matchesOf(ast, context.analysis);
  let next = 0;
  const cuts = found.map(({ match }) =>
    literalsOf(match).map(({ span }) => (span.start === cut[next]?.start ? next++ : -1)),
  );
  // A cut piece that is not a literal, such as the number of `now - 7`.
  if (next < cut.length) return null;
  const indexes = new Map(found.map(({ match }, index) => [match, index]));
  const constants: unknown[] = [...values];
  const closures = [...(expression.account === null ? [0] : [0, 1, 2])];
  const variables: number[] = [];
  const checks: PreparedCheck[] = [];
  for (const { node, isRepeated } of leavesOf(expression.quick(), false)) {
    const at = values.indexOf(node.kind === 'careful' ? node.test : node.settle);
    closures.push(at);
    if (node.kind === 'any' || node.kind === 'all') variables.push(at + 2);
    if (node.kind !== 'match') continue;
    const { template, operands } = node.check;
    const size = operands.length;
    const matches = node.matches.map((match) => indexes.get(match) ?? -1);
    checks.push({ at: at + 1, matches, type: node.type, template, size, isRepeated });
    constants.fill(undefined, at + 1, at + 1 + size);
  }
  for (const at of [...closures, ...variables]) constants[at] = undefined;
  // A literal that careful closures alone evaluate might have a check if it were another one.
  const checked = new Set(checks.flatMap(({ matches }) => matches));
  if (cuts.some((own, index) => !checked.has(index) && own.some((at) => at >= 0))) return null;
  const prepared: PreparedFilter = {
    bytes: bytesOfFilter + bytesOfCharacter * (settings.length + context.policy.source.length),
    isUsed: false,
    shape: { signature, names },
    matches: found.map(({ match, analysis }, index) => {
      const own = cuts[index] ?? [];
      return { match: withLiterals(match, own, []), analysis, cuts: own };
    }),
    checks,
    context: {
      ...{ analysis: context.analysis, unknown: null, now: null, loopVariables: [] },
      policy: { ...context.policy, source: '' },
      // Costs are charged by careful closures only, which belong to one filter.
      meter: { ...context.meter, chargeOf: refuseCharges },
    },
    hasAccount: expression.account !== null,
    constants,
    closures,
    variables,
  };
  const request = { root: expression.root, source: context.policy.source, settings, limits };
  return choose(prepared, request, cut) === null ? null : prepared;
}

function refuseCharges(): never {
  throw new TypeError('a check that is charged cannot be chosen again for another filter');
}

/** Returns the matches of an expression in source order. */
function matchesOf(node: Expression, analysis: Analysis): readonly AnalysedMatch[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.flatMap((operand) => matchesOf(operand, analysis));
    case 'not':
      return matchesOf(node.operand, analysis);
    case 'match':
      return [{ match: node, analysis }];
    default:
      return matchesOf(node.body, analysis.body(node));
  }
}

interface Leaf {
  readonly node: QuickMatch | QuickPair | QuickWalk | Extract<QuickExpression, { kind: 'careful' }>;
  readonly isRepeated: boolean;
}

/** Returns the nodes that have values. `isRepeated`: whether they are in the body of a walk. */
function leavesOf(node: QuickExpression, isRepeated: boolean): readonly Leaf[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.flatMap((operand) => leavesOf(operand, isRepeated));
    case 'not':
      return leavesOf(node.operand, isRepeated);
    case 'any':
    case 'all':
      return [{ node, isRepeated }, ...leavesOf(node.body, true)];
    default:
      return [{ node, isRepeated }];
  }
}

/** Replaces the literals of a match that were cut. Their spans stay those of another filter. */
function withLiterals(
  match: MatchExpression,
  cuts: readonly number[],
  literals: readonly CutLiteral[],
): MatchExpression {
  const { operator, operatorSpan, aspect, selector, value, span } = match;
  if (value === null || value.kind === 'reference') return match;
  const changed =
    value.kind === 'value'
      ? withLiteral(value, cuts[0], literals)
      : makeValueList(
          value.elements.map((each, at) => withLiteral(each, cuts[at], literals)),
          value.span,
        );
  return makeMatch(operator, operatorSpan, aspect, selector, changed, span);
}

function withLiteral(literal: Value, cut: number | undefined, literals: readonly CutLiteral[]): Value {
  const { wellFormed, ignoreCase, form, span } = literal;
  return cut === undefined || cut < 0
    ? literal
    : makeValue(literals[cut]?.text ?? '', wellFormed, ignoreCase, form, span);
}

type Choice = Omit<RecallRequest, 'compile'>;

/** Returns the values of a filter with these literals, without closures; null if it is invalid or has another shape. */
function choose(
  prepared: PreparedFilter,
  { source, limits }: Choice,
  literals: readonly CutLiteral[],
): unknown[] | null {
  if (source.length > limits.maxLength) return null;
  const patterns = createPatternTable(source, limits);
  const isValid = createMatchCheck(patterns);
  // Not spread, which takes several times as long.
  const { analysis, policy, unknown, meter, now, loopVariables } = prepared.context;
  const context = { analysis, patterns, policy, unknown, meter, now, loopVariables };
  const values = prepared.constants.slice();
  const own: MatchExpression[] = [];
  try {
    for (const { match, analysis, cuts } of prepared.matches) {
      const changed = withLiterals(match, cuts, literals);
      // Long literals are charged, which may change the shape.
      if (!isValid(changed, analysis) || literalsOf(changed).some(isLongComparison)) return null;
      own.push(changed);
    }
    for (const { at, matches, type, template, size, isRepeated } of prepared.checks) {
      const chosen = matches.length === own.length ? own : matches.flatMap((index) => own[index] ?? []);
      const check = chooseQuickCheck(
        chosen,
        type,
        isRepeated ? { ...context, loopVariables: someVariables } : context,
      );
      if (check?.template !== template || check.operands.length !== size) return null;
      for (let operand = 0; operand < size; operand += 1) values[at + operand] = check.operands[operand];
    }
    return values;
  } catch {
    // The ordinary path reports the error.
    return null;
  }
}

const someVariables = [createLoopVariable(() => [])];

/** Returns the expression of a filter with these literals; null if it is invalid or has another shape. */
function bind(
  prepared: PreparedFilter,
  request: RecallRequest,
  literals: readonly CutLiteral[],
): CompiledExpression | null {
  const values = choose(prepared, request, literals);
  if (values === null) return null;
  const { shape, hasAccount, closures, variables } = prepared;
  let compiled: CompiledExpression | null = null;
  const compile = (): CompiledExpression => (compiled ??= request.compile());
  let actual: readonly unknown[] | null = null;
  const call = (at: number, first: unknown, second: unknown): unknown => {
    actual ??= computeShape(compile())?.values ?? [];
    for (const each of variables) (actual[each] as Variable).key = (values[each] as Variable).key;
    return (actual[at] as (first: unknown, second: unknown) => unknown)(first, second);
  };
  for (const at of closures) values[at] = (first: unknown, second: unknown) => call(at, first, second);
  for (const at of variables) values[at] = { key: 0 };
  return {
    root: request.root,
    test: values[0] as CompiledExpression['test'],
    quick: () => compile().quick(),
    account: hasAccount ? { open: values[1] as () => null, close: values[2] as () => void } : null,
    denies: false,
    origin: null,
    shape: { signature: shape.signature, names: shape.names, values },
  };
}

interface Variable {
  key: string | number;
}
