import { copyText } from '../../runtime/shared-identity.js';
import type { RecallRequest } from '../compile/execution.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import type { LoopVariable } from '../compile/frame/loop-variable.js';
import type { QuickTemplate } from '../compile/quick/check.js';
import type {
  CompiledExpression,
  CreateChooser,
  Origin,
  ShapeKey,
} from '../compile/quick/compiled-expression.js';
import type { QuickExpression, QuickMatch } from '../compile/quick/expression.js';
import type { Type } from '../../language/schema/type.js';
import {
  literalsOf,
  type Expression,
  type MatchExpression,
  type Name,
  type Selector,
  type Value,
} from '../../language/syntax/ast.js';
import {
  makeMatch,
  makeReference,
  makeSelector,
  makeValue,
  makeValueList,
} from '../../language/syntax/factory.js';
import { splitLiterals, type CutLiteral } from '../../language/syntax/split-literals.js';
import { computeShape } from './shape-key.js';

/** A filter without its literals. Its `values` are those that do not depend on them. */
interface PreparedFilter extends ShapeKey {
  readonly createChooser: CreateChooser;
  readonly checks: readonly PreparedCheck[];
  /** The tree, whose matches are those of the checks. Refers to no source. */
  readonly tree: Expression;
  /** The indexes of the values that are careful closures, and of those that are loop variables. */
  readonly closures: readonly number[];
  readonly variables: readonly number[];
  readonly hasBudget: boolean;
  readonly bytes: number;
}

/** A check that is chosen again for each filter. */
interface PreparedCheck {
  /** The index of its first operand among the values. */
  readonly at: number;
  readonly template: QuickTemplate;
  /** Refers to no filter. Its patterns are replaced. */
  readonly context: CompileContext;
  /** Its matches without literals, and the indexes of theirs among those that are cut from a source; -1 for others. */
  readonly matches: readonly { readonly match: MatchExpression; readonly cuts: readonly number[] }[];
}

/** Estimated memory of a prepared filter, and for each character of its source, in bytes. */
const bytesOfFilter = 2_000;
const bytesOfCharacter = 80;

/** The prepared filters of one schema. */
interface PreparedCache {
  readonly filters: Map<string, PreparedFilter>;
  bytes: number;
}

/** Caches filters without their literals, so that others that differ only in these are not parsed and analysed again. */
export class PreparedFilters {
  private readonly caches = new WeakMap<Type, PreparedCache>();

  /** @param maxBytes Maximum estimated size for each schema. The oldest are evicted first. */
  constructor(private readonly maxBytes: number) {}

  /** Stores a filter, unless a literal affects more than a check. */
  store(expression: CompiledExpression, shape: ShapeKey): void {
    const { origin } = expression;
    if (origin === null) return;
    const split = splitLiterals(origin.source);
    const prepared = split === null ? null : prepare(expression, origin, shape, split.literals);
    if (split === null || prepared === null || prepared.bytes > this.maxBytes) return;
    if (choose(prepared, origin, split.literals) === null) return;
    const cache = this.caches.get(expression.root) ?? {
      filters: new Map<string, PreparedFilter>(),
      bytes: 0,
    };
    this.caches.set(expression.root, cache);
    const key = copyText(`${origin.settings} ${split.rest}`);
    cache.bytes += prepared.bytes - (cache.filters.get(key)?.bytes ?? 0);
    cache.filters.set(key, prepared);
    for (const [oldest, other] of cache.filters) {
      if (cache.bytes <= this.maxBytes) return;
      cache.filters.delete(oldest);
      cache.bytes -= other.bytes;
    }
  }

  /** Returns the expression of a filter that differs from a stored one only in its literals; null if none is stored. */
  readonly recall = (request: RecallRequest): CompiledExpression | null => {
    const filters = this.caches.get(request.root)?.filters;
    const split = filters === undefined ? null : splitLiterals(request.source);
    const prepared = split === null ? undefined : filters?.get(`${request.settings} ${split.rest}`);
    if (split === null || prepared === undefined) return null;
    const values = choose(prepared, request, split.literals);
    return values === null ? null : bind(prepared, request, values, split.literals);
  };
}

/** Removes the literals of a filter. Null if it has clauses without a check: closures evaluate their literals. */
function prepare(
  { quick, budget, tree }: CompiledExpression,
  { source, settings, createChooser }: NonNullable<CompiledExpression['origin']>,
  { signature, names, values: own }: ShapeKey,
  cut: readonly CutLiteral[],
): PreparedFilter | null {
  const values: unknown[] = [...own];
  const closures = budget === null ? [0] : [0, 1, 2];
  const variables: number[] = [];
  const checks: PreparedCheck[] = [];
  const bare = new Map<MatchExpression, MatchExpression>();
  let found = 0;

  function readMatch({ settle, check: { template, operands }, matches: all, context }: QuickMatch): void {
    const at = own.indexOf(settle) + 1;
    closures.push(at - 1);
    values.fill(undefined, at, at + operands.length);
    // In source order, as the cut literals are.
    const matches = all.map((match) => {
      const cuts = literalsOf(match).map(({ span }) => (span.start === cut[found]?.start ? found++ : -1));
      const copy = withoutSource(match, cuts);
      bare.set(match, copy);
      return { match: copy, cuts };
    });
    const policy = { ...context.policy, source: '' };
    const meter = { ...noMeter, isLone: context.meter.isLone };
    const loopVariables = context.loopVariables.length > 0 ? someVariables : [];
    checks.push({
      at,
      template,
      matches,
      context: {
        ...context,
        analysis: context.analysis.detached(),
        policy,
        meter,
        loopVariables,
        ...noPatterns,
      },
    });
  }

  /** Whether checks decide all of an expression. */
  function read(node: QuickExpression): boolean {
    switch (node.kind) {
      case 'and':
      case 'or':
        return node.operands.every(read);
      case 'not':
        return read(node.operand);
      case 'any':
      case 'all':
        closures.push(own.indexOf(node.settle));
        variables.push(own.indexOf(node.position));
        return read(node.body);
      case 'match':
        readMatch(node);
        return true;
      default:
        return false;
    }
  }

  // A cut piece may be no literal, such as the number of `now - 7`.
  if (!read(quick()) || found < cut.length) return null;
  for (const at of [...closures, ...variables]) values[at] = undefined;
  const bytes = bytesOfFilter + bytesOfCharacter * (settings.length + source.length);
  const hasBudget = budget !== null;
  return {
    signature: copyText(signature),
    names: names.map(copyText),
    values,
    createChooser,
    checks,
    tree: replaceMatches(tree(), (match) => bare.get(match) ?? match),
    closures,
    variables,
    hasBudget,
    bytes,
  };
}

/** Costs are charged by closures, which belong to one filter. */
function refuse(): never {
  throw new TypeError('a check that is charged belongs to one filter');
}

const noBudget = { open: refuse, close: refuse };
const noMeter = { ...noBudget, own: noBudget, chargeOf: refuse };
const noPatterns = { patterns: { compile: refuse } };
const someVariables: readonly LoopVariable[] = [{ value: undefined, key: 0, path: () => [] }];

/** Returns a match without its literals that were cut. Its other texts are copied, so that it retains no source. */
function withoutSource(match: MatchExpression, cuts: readonly number[]): MatchExpression {
  const { operator, operatorSpan, aspect, value, span } = match;
  const copyLiteral = ({ text, wellFormed, ignoreCase, form, span: own }: Value, at: number): Value =>
    makeValue((cuts[at] ?? -1) < 0 ? copyText(text) : '', wellFormed, ignoreCase, form, own);
  const copy =
    value === null
      ? null
      : value.kind === 'reference'
        ? makeReference(copySelector(value.selector), value.span)
        : value.kind === 'value'
          ? copyLiteral(value, 0)
          : makeValueList(value.elements.map(copyLiteral), value.span);
  return makeMatch(operator, operatorSpan, aspect, copySelector(match.selector), copy, span);
}

function copySelector({ form, path, partSpans, span }: Selector): Selector {
  return makeSelector(form, path.map(copyText), partSpans, span);
}

/** Replaces the matches of a tree, and copies its other texts. */
function replaceMatches(node: Expression, replace: (match: MatchExpression) => MatchExpression): Expression {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, operands: node.operands.map((operand) => replaceMatches(operand, replace)) };
    case 'not':
      return { ...node, operand: replaceMatches(node.operand, replace) };
    case 'match':
      return replace(node);
    default: {
      const { default: only, index, value, span } = node.binding;
      const binding = { default: copyName(only), index: copyName(index), value: copyName(value), span };
      const selector = copySelector(node.selector);
      return { ...node, selector, binding, body: replaceMatches(node.body, replace) };
    }
  }
}

function copyName(name: Name | null): Name | null {
  return name === null ? null : { ...name, text: copyText(name.text) };
}

/** Replaces the literals of a match that were cut. Spans stay those of another filter. */
function withLiterals(
  match: MatchExpression,
  cuts: readonly number[],
  literals: readonly CutLiteral[],
): MatchExpression {
  const { operator, operatorSpan, aspect, selector, value, span } = match;
  // Not spread, which takes several times as long.
  const replace = (literal: Value, at: number): Value => {
    const text = literals[cuts[at] ?? -1]?.text;
    const { wellFormed, ignoreCase, form } = literal;
    return text === undefined ? literal : makeValue(text, wellFormed, ignoreCase, form, literal.span);
  };
  if (value === null || value.kind === 'reference') return match;
  const other =
    value.kind === 'value' ? replace(value, 0) : makeValueList(value.elements.map(replace), value.span);
  return makeMatch(operator, operatorSpan, aspect, selector, other, span);
}

/** Returns the values of a filter with these literals, without closures; null if it is invalid or has another shape. */
function choose(
  { checks, values: constants, createChooser }: PreparedFilter,
  origin: Origin,
  literals: readonly CutLiteral[],
): unknown[] | null {
  if (origin.source.length > origin.limits.maxLength) return null;
  const chooseCheck = createChooser(origin);
  const values = constants.slice();
  try {
    for (const { at, template, context, matches } of checks) {
      const own: MatchExpression[] = [];
      for (const { match, cuts } of matches) own.push(withLiterals(match, cuts, literals));
      const check = chooseCheck(own, context);
      if (check?.template !== template) return null;
      for (const [index, operand] of check.operands.entries()) values[at + index] = operand;
    }
    return values;
  } catch {
    // The ordinary path reports the error.
    return null;
  }
}

/** Creates the expression of a filter. Its closures are compiled with the whole filter when the first one is called. */
function bind(
  { signature, names, checks, tree, closures, variables, hasBudget }: PreparedFilter,
  { root, compile }: RecallRequest,
  values: unknown[],
  literals: readonly CutLiteral[],
): CompiledExpression {
  let expression: CompiledExpression | null = null;
  const compiled = (): CompiledExpression => (expression ??= compile());
  let actual: readonly unknown[] | null = null;
  const call = (at: number, first: unknown, second: unknown): unknown => {
    const own = (actual ??= computeShape(compiled())?.values ?? []);
    for (const each of variables) (own[each] as LoopVariable).key = (values[each] as LoopVariable).key;
    return (own[at] as (first: unknown, second: unknown) => unknown)(first, second);
  };
  for (const at of closures) values[at] = (first: unknown, second: unknown) => call(at, first, second);
  for (const at of variables) values[at] = { key: 0 };
  let rebound: Expression | null = null;
  const rebind = (): Expression => {
    const cuts = new Map(checks.flatMap(({ matches }) => matches.map((each) => [each.match, each.cuts])));
    return replaceMatches(tree, (match) => withLiterals(match, cuts.get(match) ?? [], literals));
  };
  return {
    root,
    tree: () => (rebound ??= rebind()),
    test: values[0] as CompiledExpression['test'],
    quick: () => compiled().quick(),
    budget: hasBudget ? { open: values[1] as () => null, close: values[2] as () => void } : null,
    denies: false,
    origin: null,
    shape: { signature, names, values },
  };
}
