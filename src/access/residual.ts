import { negationOf } from '../filter/compile/normal-form.js';
import { compileFilter } from '../filter/filter.js';
import { formOf } from '../language/operators/operators.js';
import type { Limits } from '../language/diagnostics/limits.js';
import type { Analysis } from '../language/schema/analysis.js';
import { createSchema } from '../language/schema/schema.js';
import { elementTypeOf, anyType, intType, type Field, type Type } from '../language/schema/type.js';
import type {
  CollectionExpression,
  Expression,
  MatchExpression,
  MatchOperator,
  Selector,
} from '../language/syntax/ast.js';
import { makeMatch, makeReference, makeSelector } from '../language/syntax/factory.js';
import { print } from '../language/syntax/print.js';
import { isOrdering, reversedOrderings, type Ordering } from '../language/values/ordering.js';
import { compareWith, place, stringOf } from './caller-literal.js';
import {
  callerEntries,
  callerLength,
  callerValueOf,
  type CallerValue,
  type Entries,
  type Entry,
} from './caller-value.js';
import { AccessLimitError } from './policy-error.js';
import { sampleOf } from './caller-value.js';
import {
  createMatch,
  createMembership,
  createQuantifier,
  createSizeTest,
  everyElement,
  join,
  markListable,
  negate,
  textLiteral,
  type Residual,
  type Subject,
} from './terms.js';

/** One evaluation of a policy for a caller: its inputs, and its remaining budget. */
export class Evaluation {
  /** Whether a condition on the caller read the clock. */
  usesNow = false;
  /** Parts of the caller that were missing or of the wrong kind, as written in the rules. */
  readonly unknown = new Set<string>();
  #terms = 0;
  #steps = 0;

  constructor(
    readonly caller: unknown,
    readonly now: Date,
    private readonly limits: { readonly maxResidualTerms: number; readonly maxSteps: number },
  ) {}

  /** Counts matches and list elements of the residual. Long strings count more. @throws AccessLimitError beyond the limit. */
  spend(terms: number): void {
    this.#terms += terms;
    if (this.#terms > this.limits.maxResidualTerms)
      this.#exceed(
        'maxResidualTerms',
        'terms: conditions, list elements and each 1,024 characters of a literal',
      );
  }

  /** Counts elements of the caller's collections that are read. @throws AccessLimitError beyond the limit. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > this.limits.maxSteps) this.#exceed('maxSteps', 'steps for the caller');
  }

  #exceed(name: 'maxResidualTerms' | 'maxSteps', what: string): never {
    const limit = this.limits[name];
    throw new AccessLimitError(
      `policy.access: the access filter needs more than ${limit} ${what} (${name})`,
      limit,
    );
  }
}

/** A part of a rule, prepared for any caller. */
export interface RulePart {
  /**
   * Returns the rows for which the part is definitely true (`isPositive`) or definitely false. The filter contains nothing of the
   * caller but literals.
   */
  residual(evaluation: Evaluation, isPositive: boolean): Residual;
  /** Returns an example of the residual for checks of databases; null if the part depends on the caller alone. */
  sample(isPositive: boolean): Residual | null;
}

/** A comparison of caller and row that no filter over rows expresses. The message says what to write instead. */
export class NoResidual extends Error {}

/** Prepares a checked rule. @throws NoResidual */
export function prepareRule(rule: Expression, analysis: Analysis, limits: Limits): RulePart {
  return prepare(rule, { analysis, entries: new Map(), limits });
}

interface Context {
  readonly analysis: Analysis;
  readonly entries: Entries;
  readonly limits: Limits;
}

function prepare(node: Expression, context: Context): RulePart {
  switch (node.kind) {
    case 'and':
    case 'or':
      return prepareJunction(
        node.kind,
        node.operands.map((operand) => prepare(operand, context)),
      );
    case 'not': {
      const operand = prepare(node.operand, context);
      return {
        residual: (evaluation, isPositive) => operand.residual(evaluation, !isPositive),
        sample: (isPositive) => operand.sample(!isPositive),
      };
    }
    case 'any':
    case 'all':
      return prepareQuantifier(node, context);
    case 'match':
      return prepareMatch(node, context);
  }
}

function prepareJunction(kind: 'and' | 'or', operands: readonly RulePart[]): RulePart {
  const kindFor = (isPositive: boolean): 'and' | 'or' => (isPositive === (kind === 'and') ? 'and' : 'or');
  return {
    residual(evaluation, isPositive) {
      const own = kindFor(isPositive);
      const parts: Residual[] = [];
      for (const operand of operands) {
        const part = operand.residual(evaluation, isPositive);
        if (part === (own === 'or')) return part;
        parts.push(part);
      }
      return join(own, parts);
    },
    sample: (isPositive) =>
      joinSamples(
        kindFor(isPositive),
        operands.map((operand) => operand.sample(isPositive)),
      ),
  };
}

/** Joins examples, none of which is a constant. */
function joinSamples(kind: 'and' | 'or', samples: readonly (Residual | null)[]): Residual | null {
  const parts = samples.filter((sample) => typeof sample === 'object' && sample !== null);
  return parts.length === 0 ? null : join(kind, parts);
}

function prepareQuantifier(node: CollectionExpression, context: Context): RulePart {
  const { analysis, entries } = context;
  const within = analysis.body(node);
  const owner = callerValueOf(node.selector, analysis, entries);
  const kindFor = (isPositive: boolean): 'any' | 'all' =>
    isPositive === (node.kind === 'any') ? 'any' : 'all';
  if (owner === null) {
    const body = prepare(node.body, { ...context, analysis: within });
    return {
      residual(evaluation, isPositive) {
        evaluation.spend(1);
        return createQuantifier(kindFor(isPositive), node, body.residual(evaluation, isPositive));
      },
      sample: (isPositive) => createQuantifier(kindFor(isPositive), node, body.sample(isPositive) ?? true),
    };
  }
  const entry: Entry = { element: undefined, key: undefined, main: undefined };
  const bound = within.scope.slice(0, within.scope.length - analysis.scope.length);
  const body = prepare(node.body, {
    ...context,
    analysis: within,
    entries: new Map([...entries, ...bound.map((binding) => [binding, entry] as const)]),
  });
  return {
    residual(evaluation, isPositive) {
      const all = callerEntries(owner.read(evaluation.caller), owner.type);
      if (all === null) return reportUnknown(evaluation, node.selector);
      const kind = kindFor(isPositive) === 'any' ? 'or' : 'and';
      const parts: Residual[] = [];
      for (const each of all) {
        evaluation.step();
        Object.assign(entry, each);
        const part = body.residual(evaluation, isPositive);
        if (part === (kind === 'or')) return part;
        parts.push(part);
      }
      return join(kind, parts);
    },
    sample: (isPositive) => body.sample(isPositive),
  };
}

function reportUnknown(evaluation: Evaluation, selector: MatchExpression['selector']): false {
  evaluation.unknown.add(print(selector));
  return false;
}

function prepareMatch(match: MatchExpression, context: Context): RulePart {
  const { analysis, entries } = context;
  const reference = match.value?.kind === 'reference' ? match.value.selector : null;
  const left = callerValueOf(match.selector, analysis, entries);
  const right = reference === null ? null : callerValueOf(reference, analysis, entries);
  if (left === null) {
    if (reference === null || right === null) return prepareRowMatch(match, analysis);
    return prepareComparison(match, subjectOf(match, analysis), reference, right);
  }
  if (reference === null || right !== null) return prepareCallerMatch(match, left, right, context);
  const field: Subject = {
    selector: reference,
    aspect: 'value',
    type: analysis.resolve(reference).type ?? anyType,
  };
  return prepareReversed(match, left, field);
}

function subjectOf({ selector, aspect }: MatchExpression, analysis: Analysis): Subject {
  const type = aspect === 'length' ? intType : (analysis.resolve(selector).type ?? anyType);
  return { selector, aspect, type };
}

/** A match that reads only the row stays as it is. */
function prepareRowMatch(match: MatchExpression, analysis: Analysis): RulePart {
  const subject = subjectOf(match, analysis);
  const { value } = match;
  const { operator, negated } = formOf(match.operator);
  const isSet = operator.name === 'in [..]' && value?.kind === 'list';
  const own = markListable(match, subject.type);
  const [plain, other] = isSet
    ? [
        createMembership(subject, value.elements, !negated),
        createMembership(subject, value.elements, negated),
      ]
    : [own, negate(own)];
  return {
    residual(evaluation, isPositive) {
      evaluation.spend(value?.kind === 'list' ? value.elements.length + 1 : 1);
      return isPositive ? plain : other;
    },
    sample: (isPositive) => (isPositive ? plain : other),
  };
}

/** A match that reads only the caller becomes a constant: the engine evaluates it on the values that it compares. */
function prepareCallerMatch(
  match: MatchExpression,
  left: CallerValue,
  right: CallerValue | null,
  { limits }: Context,
): RulePart {
  const { operator, operatorSpan, aspect, span } = match;
  const selector = (name: string): MatchExpression['selector'] => makeSelector('bexpr', [name], [span], span);
  const value = right === null ? match.value : makeReference(selector('Right'), span);
  const plain = makeMatch(operator, operatorSpan, aspect, selector('Left'), value, span);
  const fields = new Map<string, Field>([
    ['Left', { name: 'Left', property: 'Left', type: nullable(left.type), hidden: false }],
    ['Right', { name: 'Right', property: 'Right', type: nullable(right?.type ?? anyType), hidden: false }],
  ]);
  const schema = createSchema({ kind: 'struct', name: null, fields, properties: fields, nullDepth: 0 });
  const options = { schema, unresolved: 'deny', limits } as const;
  const [isTrue, isFalse] = [compileFilter(plain, options), compileFilter(negate(plain), options)];
  return {
    residual(evaluation, isPositive) {
      evaluation.step();
      const row: Record<string, unknown> = {};
      const [own, other] = [left.read(evaluation.caller), right?.read(evaluation.caller)];
      if (own !== undefined) row['Left'] = own;
      if (other !== undefined) row['Right'] = other;
      evaluation.usesNow ||= isTrue.usesNow;
      const filter = isPositive ? isTrue : isFalse;
      if (filter.at(evaluation.now).test(row)) return true;
      if (!(isPositive ? isFalse : isTrue).at(evaluation.now).test(row))
        reportUnknown(evaluation, match.selector);
      return false;
    },
    sample: () => null,
  };
}

/** Returns a type whose values may be null, because entries of maps may be. */
function nullable(type: Type): Type {
  return type.nullDepth > 0 ? type : { ...type, nullDepth: 1 };
}

/** Returns the condition for a value of the caller; null if the value is missing or of the wrong kind. */
type Condition = (value: unknown, isPositive: boolean, evaluation: Evaluation | null) => Residual | null;

/** Creates the part for a field that is compared with a value of the caller. */
function createPart(
  { selector, operator }: Pick<MatchExpression, 'selector' | 'operator'>,
  read: CallerValue['read'],
  example: unknown,
  condition: Condition,
): RulePart {
  const { negated } = formOf(operator);
  return {
    residual(evaluation, isPositive) {
      const value = read(evaluation.caller);
      evaluation.spend(termsOf(value));
      return condition(value, isPositive !== negated, evaluation) ?? reportUnknown(evaluation, selector);
    },
    sample: (isPositive) => condition(example, isPositive !== negated, null),
  };
}

/** Returns how many terms a literal counts as: one, and one more for each 1,024 characters. */
function termsOf(value: unknown): number {
  return 1 + (typeof value === 'string' ? value.length >> 10 : 0);
}

/** `Field op @caller.x`: the caller's value becomes a literal. */
function prepareComparison(
  match: MatchExpression,
  field: Subject,
  reference: Selector,
  { type, read }: CallerValue,
): RulePart {
  const { name } = formOf(match.operator).operator;
  const element = elementTypeOf(field.type);
  const tested = element ?? field.type;
  requireKind(field.selector, tested);
  const condition =
    name === '==' || isOrdering(name)
      ? compareScalar(field, name, type)
      : name === 'in' && element !== null
        ? compareElements(field, tested, type)
        : compareText(field, name, type);
  return createPart({ ...match, selector: reference }, read, sampleOf(type, tested), condition);
}

/** `caller.x op @Field`: the sides are exchanged. */
function prepareReversed(match: MatchExpression, left: CallerValue, field: Subject): RulePart {
  requireKind(field.selector, field.type);
  const { name } = formOf(match.operator).operator;
  const isLength = match.aspect === 'length';
  const type = isLength ? intType : left.type;
  const read: CallerValue['read'] = isLength ? (caller) => callerLength(left.read(caller)) : left.read;
  const example = sampleOf(type, field.type);
  if (name === '==') return createPart(match, read, example, compareScalar(field, name, type));
  if (isOrdering(name))
    return createPart(match, read, example, compareScalar(field, reversedOrderings[name], type));
  const owner = print(match.selector);
  if (name === 'in') {
    if (type.kind !== 'string' && type.kind !== 'time')
      return createPart(match, read, type.kind === 'any' ? [example] : example, compareMembers(field, type));
    throw new NoResidual(
      `no filter over rows expresses that ${owner} contains a field; use starts with, or a list of the caller`,
    );
  }
  if (field.type.kind !== 'string')
    throw new NoResidual(
      `${owner} ${name} needs a string field, ${print(field.selector)} is a ${field.type.kind}`,
    );
  return createPart(match, read, example, compareParts(field, type, owner, name === 'starts with'));
}

/** Rejects fields whose comparison with a literal differs from the comparison with a value. */
function requireKind(selector: Selector, type: Type): void {
  if (type.kind === 'any')
    throw new NoResidual(`${print(selector)} has no declared kind; declare it to compare it with the caller`);
  if ('port' in type && type.port === true)
    throw new NoResidual(`${print(selector)} may have a port, which cannot be compared with the caller`);
}

function compareScalar(field: Subject, name: '==' | Ordering, own: Type): Condition {
  return (value, isPositive) => {
    const placement = place(field.type, own, value);
    const operator = isPositive ? name : negationOf(name);
    return placement === null ? null : compareWith(field, operator, placement);
  };
}

function compareText(field: Subject, name: MatchOperator, own: Type): Condition {
  return (value, isPositive) => {
    const text = stringOf(own, value);
    return text === null ? null : oriented(createMatch(field, name, textLiteral(text)), isPositive);
  };
}

function oriented(match: MatchExpression, isPositive: boolean): Expression {
  return isPositive ? match : negate(match);
}

/** A list of the row contains the caller's value. */
function compareElements(field: Subject, of: Type, own: Type): Condition {
  return (value, isPositive) => {
    const placement = place(of, own, value);
    // A string that is not an instance equals no element definitely, and an empty list contains nothing.
    if (placement === null)
      return stringOf(own, value) === null ? null : !isPositive && createSizeTest(field.selector, 'is empty');
    if ('at' in placement) return oriented(createMatch(field, 'in', placement.at), isPositive);
    // No element can equal the value, so only the kinds of the elements matter.
    return !isPositive && everyElement(field.selector, of);
  };
}

/** A list of the caller contains the value of a field, or a map of the caller has it as a key. */
function compareMembers(field: Subject, own: Type): Condition {
  const of = elementTypeOf(own) ?? anyType;
  return (value, isPositive, evaluation) => {
    const entries = callerEntries(value, own);
    if (entries === null) return null;
    for (const { main } of entries) evaluation?.spend(termsOf(main));
    const placements = entries
      .filter(({ element, key }) => typeof key === 'number' || element !== undefined)
      .map(({ main }) => place(field.type, of, main));
    // An element that is unknown may be the one.
    if (!isPositive && placements.includes(null)) return null;
    const literals = placements.flatMap((each) => (each !== null && 'at' in each ? [each.at] : []));
    return createMembership(field, literals, isPositive);
  };
}

/** Maximum length of a claim that must begin or end with a field, in code points: each prefix becomes a literal. */
const maxParts = 256;

/** The caller's string begins (or ends) with the value of a field: the field is one of its prefixes. */
function compareParts(field: Subject, own: Type, owner: string, isPrefix: boolean): Condition {
  return (value, isPositive, evaluation) => {
    const text = stringOf(own, value);
    if (text === null) return null;
    const points = [...text];
    if (points.length > maxParts)
      throw new AccessLimitError(`policy.access: ${owner} has more than ${maxParts} code points`, maxParts);
    evaluation?.spend(points.length);
    const parts = Array.from({ length: points.length + 1 }, (_, at) =>
      (isPrefix ? points.slice(0, at) : points.slice(at)).join(''),
    );
    return createMembership(field, parts.map(textLiteral), isPositive);
  };
}
