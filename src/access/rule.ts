import { compileFilter } from '../filter/filter.js';
import { FilterError } from '../language/diagnostics/errors.js';
import type { Limits } from '../language/diagnostics/limits.js';
import { checkOptions, describe, type OptionNames } from '../language/diagnostics/options.js';
import type { FilterSource } from '../language/parse.js';
import { analyse, type Analysis } from '../language/schema/analysis.js';
import { createSchema, type Schema } from '../language/schema/schema.js';
import type { Field, StructType, Type } from '../language/schema/type.js';
import { literalsOf, type Expression, type Value } from '../language/syntax/ast.js';
import { childrenOf } from '../language/syntax/visit.js';
import { callerField } from './caller-value.js';
import { PolicyError } from './policy-error.js';
import { NoResidual, prepareRule, type RulePart } from './residual.js';

/** One rule of a policy. */
export interface AccessRule<Action extends string> {
  /** A name for explanations and findings, which only operators see. */
  readonly name?: string;
  /** `allow` adds rows; `deny` removes rows that other rules allow, also if `when` is unknown for the row. */
  readonly effect: 'allow' | 'deny';
  /** The actions that the rule is about; `*` for all. */
  readonly actions: readonly (Action | '*')[];
  /** A filter over the row and over `caller`: `Owner == @caller.id`. If omitted, the rule is about every row. */
  readonly when?: FilterSource;
}

/** A rule, checked and prepared. */
export interface Rule {
  readonly index: number;
  readonly rule: AccessRule<string>;
  /** Null if the rule is about every row. */
  readonly ast: Expression | null;
  readonly part: RulePart;
}

const ruleOptions = ['name', 'effect', 'actions', 'when'] as const satisfies OptionNames<AccessRule<string>>;

/** Returns the schema with hidden fields included, which rules may read although the filters of callers cannot. */
export function withHiddenFields(schema: Schema): Schema {
  const structs = new Map<StructType['properties'], Map<string, Field>>();
  let hasHidden = false;
  const reveal = (type: Type): Type => {
    if (type.kind === 'list' || type.kind === 'array' || type.kind === 'map')
      return { ...type, of: reveal(type.of) };
    if (type.kind !== 'struct') return type;
    const known = structs.get(type.properties);
    const fields = known ?? new Map<string, Field>();
    structs.set(type.properties, fields);
    for (const field of known === undefined ? type.properties.values() : []) {
      hasHidden ||= field.hidden;
      fields.set(field.name, { ...field, hidden: false, type: reveal(field.type) });
    }
    return { ...type, fields };
  };
  const root = reveal(schema.root) as StructType;
  return hasHidden ? createSchema(root) : schema;
}

/** Returns the schema of rules: the fields of the row, and the caller as one more struct. @throws PolicyError */
export function schemaOfRules(rows: Schema, caller: Schema): Schema {
  const { root } = rows;
  if (root.fields.has(callerField))
    throw new PolicyError(
      'caller-field',
      null,
      `schema has a field ${callerField}, which rules use for the caller; rename it with t.renamed`,
    );
  const field = { name: callerField, property: callerField, type: caller.root, hidden: false };
  const extended: StructType = {
    ...root,
    fields: new Map([...root.fields, [callerField, field]]),
    properties: new Map([...root.properties, [callerField, field]]),
  };
  return createSchema(extended);
}

const everyRow: RulePart = { residual: (_, isPositive) => isPositive, sample: () => null };

/** Checks and prepares a rule. @throws PolicyError, TypeError */
export function prepareAccessRule(
  rule: AccessRule<string>,
  index: number,
  { schema, actions, limits }: { schema: Schema; actions: ReadonlySet<string>; limits: Limits },
): Rule {
  const name = `definePolicy: rules[${index}]`;
  checkOptions(name, rule, ruleOptions);
  const { effect, when } = rule;
  if (effect !== 'allow' && effect !== 'deny')
    throw new PolicyError('bad-rule', index, `effect must be allow or deny, got ${describe(effect)}`);
  if (!Array.isArray(rule.actions) || rule.actions.length === 0)
    throw new PolicyError('bad-rule', index, 'actions must be a list of at least one action');
  for (const action of rule.actions) {
    if (action !== '*' && !actions.has(action))
      throw new PolicyError(
        'unknown-action',
        index,
        `unknown action ${describe(action)}; the actions are ${[...actions].join(', ')}`,
      );
  }
  if (when === undefined) return { index, rule, ast: null, part: everyRow };
  try {
    const { ast } = compileFilter(when, { schema, unresolved: 'deny', limits });
    const analysis = analyse(schema.root);
    const word = forgottenReference(ast, analysis);
    if (word === null) return { index, rule, ast, part: prepareRule(ast, analysis, limits) };
    const message = `${word} without @ is a string, not the field: write @${word}, or "${word}" for the string`;
    throw new PolicyError('bad-rule', index, message);
  } catch (error) {
    if (error instanceof NoResidual) throw new PolicyError('no-residual', index, error.message);
    if (error instanceof FilterError || error instanceof TypeError)
      throw new PolicyError('bad-rule', index, error.message, { cause: error });
    throw error;
  }
}

/** Returns the first unquoted string that is the path of a field or of the caller, so that its author forgot the `@`; null for none. */
function forgottenReference(node: Expression, analysis: Analysis): string | null {
  if (node.kind === 'match') {
    const isField = ({ text, form }: Value): boolean => {
      const path = text.split('.');
      if (form !== 'bare' || (path[0] === callerField && path.length === 1)) return false;
      return path[0] === callerField || analysis.resolve({ path }).type !== null;
    };
    return literalsOf(node).find(isField)?.text ?? null;
  }
  for (const child of childrenOf(node)) {
    const word = forgottenReference(child, analysis.below(node));
    if (word !== null) return word;
  }
  return null;
}
