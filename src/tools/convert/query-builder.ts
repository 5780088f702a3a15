import { describe } from '../../language/diagnostics/options.js';
import type { OperatorName } from '../../language/operators/operators.js';
import type { FilterSource } from '../../language/parse.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Expression } from '../../language/syntax/ast.js';
import { readFieldPath } from '../../language/syntax/field-path.js';
import { not, type Condition } from '../builder/condition.js';
import type { AnyField } from '../builder/field-type.js';
import type { Scalar } from '../builder/literal.js';
import { field as fieldOf, type FieldPath } from '../builder/reference.js';
import { checkConvertOptions, refuse, type Conversion, type ConvertOptions } from './conversion.js';
import { Exporter, nameOf, readMatch, type ExportedMatch } from './exporter.js';
import { checkInstance, Importer, join, membersOf, stringAt, type ImportedField } from './importer.js';

/** A group of react-querybuilder, as `toQueryBuilder` writes it. */
export interface QueryBuilderGroup {
  readonly combinator: 'and' | 'or';
  readonly not: boolean;
  readonly rules: readonly (QueryBuilderGroup | QueryBuilderRule)[];
}

/** A rule of react-querybuilder. */
export interface QueryBuilderRule {
  readonly field: string;
  readonly operator: string;
  readonly value: string | number | boolean | null | readonly (string | number | boolean)[];
  readonly valueSource: 'value' | 'field';
}

/**
 * Returns the filter that selects the rows which a query of react-querybuilder selects; null if the query has no rules, so that
 * every row matches. Muted rules, and rules whose field or operator is still the placeholder `~`, are ignored, as `formatQuery`
 * does.
 *
 * @throws TypeError if an option is invalid.
 */
export function fromQueryBuilder(query: unknown, options: ConvertOptions): Conversion<Condition | null> {
  checkConvertOptions('fromQueryBuilder', options);
  const importer = new Importer(options);
  return importer.import(() => importGroup(importer, '', query, 0));
}

function importGroup(importer: Importer, at: string, value: unknown, depth: number): Condition | null {
  importer.enter(at, depth);
  const group = membersOf(at, value, 'a group with rules');
  const { rules, combinator = 'and', muted } = group;
  if (muted === true) return null;
  if (!Array.isArray(rules))
    return refuse(`${at}${at && '.'}rules`, `an array is expected, got ${describe(rules)}`);
  // Groups with independent combinators have strings between their rules; `and` binds tighter than `or`.
  const alternatives: (Condition | null)[][] = [[]];
  const hasOr = rules.some((each) => typeof each === 'string');
  const kind = hasOr ? 'and' : kindOf(`${at}${at && '.'}combinator`, combinator);
  rules.forEach((each: unknown, index) => {
    const here = `${at}${at && '.'}rules[${index}]`;
    if (typeof each !== 'string') {
      const condition = importer.run(() => importRule(importer, here, each, depth + 1));
      alternatives.at(-1)?.push(condition);
    } else if (kindOf(here, each) === 'or') alternatives.push([]);
  });
  const all = join(
    'or',
    alternatives.map((each) => join(kind, each)),
  );
  return all !== null && group.not === true ? not(all) : all;
}

function kindOf(at: string, combinator: unknown): 'and' | 'or' {
  const kind = typeof combinator === 'string' ? combinator.toLowerCase() : combinator;
  return kind === 'and' || kind === 'or'
    ? kind
    : refuse(at, `and or or is expected, got ${describe(combinator)}`);
}

/** The placeholder of fields and operators that are not yet selected. */
const placeholder = '~';

function importRule(importer: Importer, at: string, value: unknown, depth: number): Condition | null {
  const rule = membersOf(at, value, 'a rule');
  if ('rules' in rule) return importGroup(importer, at, rule, depth);
  importer.enter(at, depth);
  if (rule.muted === true || rule.field === placeholder || rule.operator === placeholder) return null;
  if (rule.match !== undefined) refuse(`${at}.match`, 'match modes are not supported');
  const name = stringAt(`${at}.field`, rule.field, 'the name of a field');
  const field = importer.field(`${at}.field`, readFieldPath(name) as [string]);
  const operator = stringAt(`${at}.operator`, rule.operator, 'an operator');
  const known = importOperators.get(operator.toLowerCase());
  if (known === undefined)
    return refuse(`${at}.operator`, `${describe(operator)} is not an operator that can be converted`);
  const { count, make, isNegative = false, isSafe = false } = known;
  const values = operandsOf(importer, at, rule, field, count);
  if (values === null) return null;
  if (count === 1 && (operator === '=' || operator === '!=')) checkInstance(`${at}.value`, field, values[0]);
  return importer.leaf(at, field, (each) => make(each, values), isNegative, isSafe);
}

/** Returns the operands of a rule: none, one, two, or any number. Null for an incomplete range, which is ignored. */
function operandsOf(
  importer: Importer,
  at: string,
  { value, valueSource }: Readonly<Record<string, unknown>>,
  field: ImportedField,
  count: number,
): readonly (Scalar & FieldPath)[] | null {
  const here = `${at}.value`;
  const all = count === 0 ? [] : count === 1 ? [value] : listOf(value);
  const parts = count === 2 ? all.slice(0, 2) : all;
  if (count === 2 && (parts.length < 2 || parts.some((part) => part === ''))) return null;
  if (valueSource !== 'field') return importer.values(here, field, parts) as readonly (Scalar & FieldPath)[];
  return parts.map((part) => {
    const path = readFieldPath(stringAt(here, part, 'the name of a field')) as [string];
    const other = importer.field(here, path);
    if (other.nullable.length > 0)
      refuse(here, `${other.name} can be null, which such a comparison does not exclude`);
    return fieldOf(...path) as Scalar & FieldPath;
  });
}

/** Lists may be one string, separated by commas (`\\,` is a comma). react-querybuilder removes blanks around their strings. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value))
    return value.map((each: unknown) => (typeof each === 'string' ? each.trim() : each));
  if (typeof value !== 'string') return [value];
  const parts = value.match(/(?:\\,|[^,])+/g) ?? [];
  return parts.map((part) => part.replaceAll('\\,', ',').trim()).filter((part) => part !== '');
}

interface ImportOperator {
  /** Number of operands; Infinity for a list. */
  readonly count: number;
  readonly make: (field: AnyField, values: readonly (Scalar & FieldPath)[]) => Condition;
  /** Whether the rule is true if the field is null. */
  readonly isNegative?: boolean;
  /** Whether the operator of the filter has the same result for null. */
  readonly isSafe?: boolean;
}

type Method = {
  [K in keyof AnyField]: AnyField[K] extends (value: Scalar & FieldPath) => Condition ? K : never;
}[keyof AnyField];

const one = (method: Method, more: Partial<ImportOperator> = {}): ImportOperator => ({
  count: 1,
  make: (field, [value]) => field[method](value as Scalar & FieldPath),
  ...more,
});
const safe = { isSafe: true };
const negative = { isNegative: true };

const importOperators: ReadonlyMap<string, ImportOperator> = new Map<string, ImportOperator>([
  ['=', one('is')],
  ['!=', one('isNot', negative)],
  ['<', one('below', safe)],
  ['<=', one('atMost', safe)],
  ['>', one('above', safe)],
  ['>=', one('atLeast', safe)],
  ['contains', one('contains')],
  ['doesnotcontain', one('notContains', negative)],
  ['beginswith', one('startsWith', safe)],
  ['doesnotbeginwith', one('notStartsWith', { ...negative, ...safe })],
  ['endswith', one('endsWith', safe)],
  ['doesnotendwith', one('notEndsWith', { ...negative, ...safe })],
  ['null', { count: 0, make: (field) => field.isNil(), ...negative, ...safe }],
  ['notnull', { count: 0, make: (field) => field.isNotNil(), ...safe }],
  ['in', { count: Infinity, make: (field, values) => field.oneOf(values), ...safe }],
  ['notin', { count: Infinity, make: (field, values) => field.noneOf(values), ...negative, ...safe }],
  ['between', { count: 2, make: (field, values) => between(field, values), ...safe }],
  ['notbetween', { count: 2, make: (field, values) => not(between(field, values)), ...negative, ...safe }],
]);

/** Both ends are included. Numbers may be in either order. */
function between(field: AnyField, [a, b]: readonly (Scalar & FieldPath)[]): Condition {
  const isReversed = typeof a !== 'string' && typeof a !== 'object' && (b as Scalar) < (a as Scalar);
  const [low, high] = isReversed ? [b, a] : [a, b];
  return field.atLeast(low as Scalar & FieldPath).and(field.atMost(high as Scalar & FieldPath));
}

/**
 * Returns a query of react-querybuilder that selects the rows which a filter selects, for rows as the schema declares them. What
 * react-querybuilder has no rules for is refused: patterns, letter case, lengths, `any` and `all`, the current time.
 *
 * @throws FilterSyntaxError and FilterLimitError as `parse`; TypeError if an option is invalid.
 */
export function toQueryBuilder(filter: FilterSource, options: ConvertOptions): Conversion<QueryBuilderGroup> {
  checkConvertOptions('toQueryBuilder', options);
  const exporter = new Exporter('toQueryBuilder', filter, options);
  return exporter.export((ast, analysis) => {
    const whole = exportNode(ast, analysis, exporter);
    return whole !== null && 'rules' in whole ? whole : groupOf('and', whole === null ? [] : [whole]);
  });
}

type Rule = QueryBuilderGroup | QueryBuilderRule;

function groupOf(combinator: 'and' | 'or', rules: readonly Rule[], isNegated = false): QueryBuilderGroup {
  return { combinator, not: isNegated, rules };
}

function exportNode(node: Expression, analysis: Analysis, exporter: Exporter): Rule | null {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const rules = node.operands.map((each) => exportNode(each, analysis, exporter));
      const converted = rules.filter((each) => each !== null);
      return groupOf(node.kind, converted);
    }
    case 'not': {
      const rule = exportNode(node.operand, analysis, exporter);
      if (rule === null) return null;
      return 'rules' in rule && !rule.not ? { ...rule, not: true } : groupOf('and', [rule], true);
    }
    case 'match':
      return exporter.run(() => exportMatch(readMatch(node, analysis)));
    case 'any':
    case 'all':
      return exporter.run(() =>
        refuse(`${node.kind} ${nameOf(node.selector.path)}`, 'there is no rule for elements of a list'),
      );
  }
}

const exportOperators: Readonly<Partial<Record<OperatorName, readonly [plain: string, negated: string]>>> = {
  '==': ['=', '!='],
  '<': ['<', '>='],
  '<=': ['<=', '>'],
  '>': ['>', '<='],
  '>=': ['>=', '<'],
  'in [..]': ['in', 'notIn'],
  in: ['contains', 'doesNotContain'],
  'starts with': ['beginsWith', 'doesNotBeginWith'],
  'ends with': ['endsWith', 'doesNotEndWith'],
  'is nil': ['null', 'notNull'],
};

function exportMatch(match: ExportedMatch): Rule {
  const { at, path, type, canBeNull, operator, negated, isLength, ignoresCase, values, other } = match;
  const isEmptyText = operator === 'is empty' && type.kind === 'string';
  const names = isEmptyText ? exportOperators['=='] : exportOperators[operator];
  if (names === undefined) return refuse(at, `there is no operator for "${operator}"`);
  if (isLength) return refuse(at, 'there is no rule for lengths');
  if (ignoresCase) return refuse(at, 'there is no operator that ignores letter case');
  if (other !== null && canBeNull)
    return refuse(at, 'a comparison with another field has no equivalent for null');
  if (operator === 'in' && type.kind === 'map') return refuse(at, 'there is no rule for the keys of a map');
  const isTrimmed = values.every((each) => typeof each !== 'string' || each === each.trim());
  if (operator === 'in [..]' && !isTrimmed) {
    const rules = values.map((value) => ruleOf(path, '=', value));
    return groupOf('or', rules, negated);
  }
  const name = names[negated ? 1 : 0];
  const literal = operator === 'in [..]' ? values : isEmptyText ? '' : (values[0] ?? null);
  const rule = other === null ? ruleOf(path, name, literal) : ruleOf(path, name, nameOf(other), 'field');
  // JavaScript converts null to 0 in orderings.
  const isOrdering = operator.startsWith('<') || operator.startsWith('>');
  if (!isOrdering || !canBeNull) return rule;
  return groupOf('and', [ruleOf(path, 'notNull', null), rule]);
}

function ruleOf(
  path: readonly string[],
  operator: string,
  value: QueryBuilderRule['value'],
  valueSource: QueryBuilderRule['valueSource'] = 'value',
): QueryBuilderRule {
  return { field: nameOf(path), operator, value, valueSource };
}
