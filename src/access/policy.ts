import {
  compiledAccess,
  ruleSamples,
  type AccessFilter,
  type CompiledAccess,
  type SampledPolicy,
} from '../filter/access-filter.js';
import { readInstant } from '../filter/compile/frame/clock.js';
import { defaultLimits, type Limits } from '../language/diagnostics/limits.js';
import {
  checkNames,
  checkSchema,
  describe,
  readLimits,
  type OptionNames,
} from '../language/diagnostics/options.js';
import type { InputRowOf } from '../language/schema/row.js';
import type { Schema } from '../language/schema/schema.js';
import { AccessFilters } from './access-filters.js';
import { explainAccess, type AccessExplanation } from './explain-access.js';
import { findingsOf, isAbout, type PolicyFinding } from './findings.js';
import { Evaluation } from './residual.js';
import { prepareAccessRule, schemaOfRules, withHiddenFields, type AccessRule, type Rule } from './rule.js';
import { join, type Residual } from './terms.js';

/** Limits of a policy. Those of filters apply to each rule, and to the evaluation of one row. */
export interface PolicyLimits extends Limits {
  /** Maximum number of conditions and list elements in the access filter of one caller. Default: 2,000. */
  readonly maxResidualTerms: number;
}

/** The definition of a policy. */
export interface PolicyOptions<R extends Schema, C extends Schema, Action extends string> {
  /** Schema of the rows. Rules may read its hidden fields. */
  readonly schema: R;
  /** Schema of the caller, which rules read as `caller`. */
  readonly caller: C;
  readonly actions: readonly Action[];
  /** A caller may do an action on a row if an allow rule is true and every deny rule is false. Without rules, nothing is allowed. */
  readonly rules: readonly AccessRule<Action>[];
  readonly limits?: Partial<PolicyLimits>;
}

/** Which rows callers may see or change, decided by rules. Immutable; create one per kind of row and share it. */
export interface Policy<C extends Schema = Schema, Action extends string = string> {
  /**
   * Returns the rows on which a caller may do an action, as a filter. Equal rights give the same filter, which is cached.
   * Conditions on the caller are evaluated at this call, and again by `at`. `now` in a condition on the row stays in the filter.
   * @throws AccessLimitError if the filter would exceed a limit.
   * @throws TypeError if the caller is not an object or the action is unknown.
   */
  access(caller: InputRowOf<C>, action: Action): AccessFilter;
  /** Returns whether a caller may do an action on a row. For a write, test the row before and the row after it. @throws as `access`. */
  can(caller: InputRowOf<C>, action: Action, row: unknown): boolean;
  /** Returns which rule decides for a row, and what is unknown. For operators only. @throws as `access`. */
  explain(caller: InputRowOf<C>, action: Action, row: unknown): AccessExplanation;
  /** Rules that are probably not what their author means. */
  readonly findings: readonly PolicyFinding[];
}

const optionNames = ['schema', 'caller', 'actions', 'rules', 'limits'] as const satisfies OptionNames<
  PolicyOptions<Schema, Schema, string>
>;

/**
 * Defines which rows callers may see or change. Each rule is a filter over the row and `caller`. A row is allowed only if the rules
 * definitely allow it: what is missing, null or of the wrong kind is unknown, and unknown never grants.
 *
 * ```ts
 * const policy = definePolicy({
 *   schema: docs,
 *   caller: defineSchema({ id: t.string, teams: t.list(t.string) }),
 *   actions: ['read', 'update'],
 *   rules: [
 *     { effect: 'allow', actions: ['*'], when: 'Owner == @caller.id' },
 *     { effect: 'allow', actions: ['read'], when: '@Team in caller.teams' },
 *     { effect: 'deny', actions: ['*'], when: 'Sealed == true' },
 *   ],
 * });
 * const access = policy.access({ id: 'ann', teams: ['a', 'b'] }, 'read');
 * access.text; // (Owner == "ann" or Team in ["a", "b"]) and Sealed != "true"
 * rows.filter(access.test);
 * ```
 *
 * @throws PolicyError if a rule is invalid; `rule` is its index and `cause` the error of its filter.
 * @throws TypeError if an option is invalid.
 */
export function definePolicy<R extends Schema, C extends Schema, const Action extends string>(
  options: PolicyOptions<R, C, Action>,
): Policy<C, Action> {
  checkNames('definePolicy', 'option', options, optionNames);
  checkSchema('definePolicy', options.schema);
  checkSchema('definePolicy: caller', options.caller);
  const { maxResidualTerms, ...limits } = readLimits<PolicyLimits>('definePolicy', options.limits ?? {}, {
    ...defaultLimits,
    maxResidualTerms: 2000,
  });
  const actions = readActions(options.actions);
  if (!Array.isArray(options.rules))
    throw new TypeError(`definePolicy: rules must be a list, got ${describe(options.rules)}`);
  const rows = withHiddenFields(options.schema);
  const schema = schemaOfRules(rows, options.caller);
  const rules = options.rules.map((rule, index) =>
    prepareAccessRule(rule, index, { schema, actions, limits }),
  );
  const evaluate = (caller: unknown, now: Date): Evaluation =>
    new Evaluation(caller, now, { maxResidualTerms, maxSteps: limits.maxSteps });
  const filters = new AccessFilters(options.schema, rows, limits);
  const rulesOf = (action: string): readonly Rule[] =>
    rules.filter(({ rule }) => isAbout(rule.actions, action));
  const byAction = new Map([...actions].map((action) => [action, rulesOf(action)]));

  const requireRules = (method: string, caller: unknown, action: string): readonly Rule[] => {
    const own = byAction.get(action);
    if (own === undefined)
      throw new TypeError(
        `policy.${method}: unknown action ${describe(action)}; the actions are ${[...actions].join(', ')}`,
      );
    if (typeof caller !== 'object' || caller === null)
      throw new TypeError(`policy.${method}: caller must be an object, got ${describe(caller)}`);
    return own;
  };
  const accessOf = (caller: unknown, own: readonly Rule[]): AccessFilter => {
    const evaluation = evaluate(caller, new Date());
    const filter = filters.of(residualOf(own, evaluation));
    if (!evaluation.usesNow) return filter;
    return withClock(filter, (instant) => filters.of(residualOf(own, evaluate(caller, instant))));
  };
  const policy: Policy & SampledPolicy = {
    access: (caller, action) => accessOf(caller, requireRules('access', caller, action)),
    can: (caller, action, row) => accessOf(caller, requireRules('can', caller, action)).test(row),
    explain(caller, action, row) {
      const own = requireRules('explain', caller, action);
      const now = new Date();
      return explainAccess(
        own,
        row,
        () => evaluate(caller, now),
        (ast) => filters.compile(ast).at(now),
      );
    },
    findings: findingsOf(rules, schema, [...actions], () => evaluate({}, new Date(0))),
    get [ruleSamples]() {
      const samples = rules.map(({ index, rule, part }) => {
        const sample = part.sample(rule.effect === 'allow');
        return {
          rule: index,
          filter: typeof sample === 'object' && sample !== null ? filters.compile(sample) : null,
        };
      });
      return { schema: options.schema, samples };
    },
  };
  return Object.freeze(policy) as Policy<C, Action>;
}

function readActions(actions: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(actions) || actions.length === 0 || !actions.every(isAction))
    throw new TypeError('definePolicy: actions must be a list of at least one name; * cannot be a name');
  return new Set(actions);
}

function isAction(action: unknown): boolean {
  return typeof action === 'string' && action !== '' && action !== '*';
}

/** Returns the rows that some allow rule definitely allows, and that every deny rule definitely does not deny. */
function residualOf(rules: readonly Rule[], evaluation: Evaluation): Residual {
  const residuals = (effect: string): Residual[] => {
    const found: Residual[] = [];
    for (const { rule, part } of rules)
      if (rule.effect === effect) found.push(part.residual(evaluation, effect === 'allow'));
    return found;
  };
  const allowed = join('or', residuals('allow'));
  return allowed === false ? false : join('and', [allowed, ...residuals('deny')]);
}

/** Adds the clock to an access filter whose conditions on the caller read it. `at` returns the filter for an instant. */
function withClock(filter: CompiledAccess, at: (instant: Date) => AccessFilter): CompiledAccess {
  const { kind, text, key, test } = filter;
  return Object.freeze({
    kind,
    text,
    key,
    test,
    usesNow: true,
    at(instant = new Date()) {
      readInstant(instant);
      return at(instant).at(instant);
    },
    [compiledAccess]: filter[compiledAccess],
    schema: filter.schema,
  });
}
