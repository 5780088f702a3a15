import { describe } from '../../language/diagnostics/options.js';
import type { OperatorName } from '../../language/operators/operators.js';
import type { FilterSource } from '../../language/parse.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Expression } from '../../language/syntax/ast.js';
import { readFieldPath } from '../../language/syntax/field-path.js';
import { print } from '../../language/syntax/print.js';
import { anyOf, type Condition } from '../builder/condition.js';
import type { AnyField } from '../builder/field-type.js';
import type { Scalar } from '../builder/literal.js';
import { ignoringCase, type CaselessText } from '../builder/operand.js';
import { checkConvertOptions, refuse, type Conversion, type ConvertOptions } from './conversion.js';
import { Exporter, nameOf, readMatch, type ExportedMatch } from './exporter.js';
import { checkInstance, Importer, join, membersOf, type ImportedField } from './importer.js';

/** Options for filter models of AG Grid: the grid's filter parameters of the same names, if they differ from its defaults. */
export interface AgGridOptions extends ConvertOptions {
  /** Whether text filters distinguish upper and lower case. Default: false, as in the grid. */
  readonly caseSensitive?: boolean;
  /** Whether `inRange` includes both ends. Default: false, as in the grid. */
  readonly inRangeInclusive?: boolean;
  /** Maximum number of conditions of a column. The grid drops further ones. Default: 2, as in the grid. */
  readonly maxNumConditions?: number;
}

/** A filter model of AG Grid, by column id: what `getFilterModel()` returns and `setFilterModel()` takes. */
export type AgGridModel = Readonly<Record<string, AgGridFilter>>;
export type AgGridFilter =
  | AgGridCondition
  | {
      readonly filterType: AgGridCondition['filterType'];
      readonly operator: 'AND' | 'OR';
      readonly conditions: readonly AgGridCondition[];
    };
export interface AgGridCondition {
  readonly filterType: 'text' | 'number' | 'date';
  readonly type: string;
  readonly filter?: string | number;
  readonly dateFrom?: string;
}

const names = ['caseSensitive', 'inRangeInclusive', 'maxNumConditions'] as const;

/**
 * Returns the filter that selects the rows which a filter model of AG Grid selects; null if the model is empty, so that every row
 * matches. The ids of columns are names of fields. Dates of the model are in UTC.
 *
 * @throws TypeError if an option is invalid.
 */
export function fromAgGrid(model: unknown, options: AgGridOptions): Conversion<Condition | null> {
  checkConvertOptions('fromAgGrid', options, names);
  const importer = new Importer(options);
  return importer.import(() => {
    const columns = Object.entries(membersOf('', model ?? {}, 'a filter model'));
    return join(
      'and',
      columns.map(([id, filter]) =>
        importer.run(() => {
          const field = importer.field(id, readFieldPath(id) as [string]);
          return importFilter(importer, id, field, filter, options, 0);
        }),
      ),
    );
  });
}

function importFilter(
  importer: Importer,
  at: string,
  field: ImportedField,
  value: unknown,
  options: AgGridOptions,
  depth: number,
): Condition | null {
  importer.enter(at, depth);
  const filter = membersOf(at, value, 'a filter');
  const parts = filter.filterType === 'multi' ? filter.filterModels : filter.conditions;
  if (parts !== undefined) {
    if (!Array.isArray(parts))
      return refuse(at, `an array of conditions is expected, got ${describe(parts)}`);
    const kind = filter.filterType === 'multi' ? 'AND' : filter.operator;
    if (kind !== 'AND' && kind !== 'OR')
      return refuse(`${at}.operator`, `AND or OR is expected, got ${describe(kind)}`);
    const conditions = parts.map((part: unknown, index) =>
      part === null
        ? null
        : importFilter(importer, `${at}.conditions[${index}]`, field, part, options, depth + 1),
    );
    return join(kind === 'AND' ? 'and' : 'or', conditions);
  }
  if (filter.filterType === 'set') return importSet(importer, at, field, filter.values);
  const type = typeof filter.type === 'string' ? filter.type : '';
  const read = importers[String(filter.filterType)];
  const known = read !== undefined && Object.hasOwn(conditions, type) ? conditions[type] : undefined;
  if (read === undefined || known === undefined)
    return refuse(
      at,
      `the filter ${describe(filter.filterType)} with the type ${describe(filter.type)} is not supported`,
    );
  const isText = filter.filterType === 'text';
  if (type === 'blank' || type === 'notBlank')
    return importBlank(importer, at, field, type === 'blank', isText);
  const { count, make, isNegative = false, isSafe = false } = known;
  if (isText && field.type.kind === 'bool' ? count !== 0 : count === 0)
    return refuse(at, `the type ${type} does not apply to ${field.name}`);
  const { filterType, dateFrom, dateTo, filter: first, filterTo } = filter;
  const given = (filterType === 'date' ? [dateFrom, dateTo] : [first, filterTo]).slice(0, count);
  const values = given.map((each) => read(importer, at, field, each, options));
  return importer.leaf(at, field, (each) => make(each, values, options), isNegative && isText, isSafe);
}

type Operand = Scalar & CaselessText;

type ReadOperand = (
  importer: Importer,
  at: string,
  field: ImportedField,
  value: unknown,
  options: AgGridOptions,
) => Operand;

/** Readers of the values of a condition, by type of filter. */
const importers: Readonly<Record<string, ReadOperand | undefined>> = {
  text(importer, at, field, value, { caseSensitive = false }) {
    if (typeof value !== 'string' || value === '')
      return refuse(at, `a string that is not empty is expected, got ${describe(value)}`);
    return (
      caseSensitive || field.type.kind !== 'string' ? importer.value(at, field, value) : ignoringCase(value)
    ) as Operand;
  },
  number: (importer, at, field, value) => importer.value(at, field, value) as Operand,
  bigint: (importer, at, field, value) => importer.value(at, field, value) as Operand,
  date(importer, at, field, value) {
    const [, day = '', time = '00:00:00'] =
      /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$/.exec(String(value)) ?? [];
    if (day === '')
      return refuse(at, `a date such as 2026-11-01 00:00:00 is expected, got ${describe(value)}`);
    if (field.type.kind !== 'time') return refuse(at, `${field.name} is not a time`);
    checkInstance(at, field, `${day}T${time}Z`);
    return importer.value(at, field, `${day}T${time}Z`) as Operand;
  },
};

interface ImportedType {
  readonly count: number;
  readonly make: (field: AnyField, values: readonly Operand[], options: AgGridOptions) => Condition;
  /** Whether a text filter of the type is true for null. Other filters of every type are false. */
  readonly isNegative?: boolean;
  readonly isSafe?: boolean;
}

type Method = {
  [K in keyof AnyField]: AnyField[K] extends (value: Operand) => Condition ? K : never;
}[keyof AnyField];

const one = (method: Method, more: Partial<ImportedType> = {}): ImportedType => ({
  count: 1,
  make: (field, [value]) => field[method](value as Operand),
  ...more,
});
const safe = { isSafe: true };
const blank = { count: 0, make: (field: AnyField): Condition => field.isNil() };

const conditions: Readonly<Record<string, ImportedType | undefined>> = {
  equals: one('is'),
  notEqual: one('isNot', { isNegative: true }),
  contains: one('contains'),
  notContains: one('notContains', { isNegative: true }),
  startsWith: one('startsWith', safe),
  endsWith: one('endsWith', safe),
  lessThan: one('below', safe),
  lessThanOrEqual: one('atMost', safe),
  greaterThan: one('above', safe),
  greaterThanOrEqual: one('atLeast', safe),
  inRange: {
    count: 2,
    make: (field, [from, to], { inRangeInclusive = false }) =>
      inRangeInclusive
        ? field.atLeast(from as Operand).and(field.atMost(to as Operand))
        : field.above(from as Operand).and(field.below(to as Operand)),
    ...safe,
  },
  true: { count: 0, make: (field) => field.is(true) },
  false: { count: 0, make: (field) => field.is(false) },
  blank,
  notBlank: blank,
};

/** The characters that JavaScript removes at the ends of strings. */
const whitespace = String.raw`^[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]*$`;

/** Blank is null, and for a text filter a string of whitespace. A field that is never null has no other blank values. */
function importBlank(
  importer: Importer,
  at: string,
  field: ImportedField,
  isBlank: boolean,
  isText: boolean,
): Condition {
  if (isText)
    return importer.leaf(
      at,
      field,
      (each) => (isBlank ? each.matches(whitespace) : each.notMatches(whitespace)),
      isBlank,
    );
  if (field.nullable.length === 0)
    return importer.leaf(at, field, (each) => (isBlank ? each.oneOf([]) : each.noneOf([])), false);
  return importer.leaf(at, field, (each) => (isBlank ? each.isNil() : each.isNotNil()), isBlank, true);
}

/** The values of a set filter are strings, and null for blank. */
function importSet(importer: Importer, at: string, field: ImportedField, values: unknown): Condition | null {
  if (!Array.isArray(values)) return refuse(`${at}.values`, `an array is expected, got ${describe(values)}`);
  const given = importer.values(
    `${at}.values`,
    field,
    values.filter((each) => each !== null),
  );
  const isBool = field.type.kind === 'bool' && given.length > 0;
  const listed = isBool
    ? importer.leaf(at, field, (each) => anyOf(given.map((value) => each.is(value))), false)
    : importer.leaf(at, field, (each) => each.oneOf(given), false, true);
  const hasNull = given.length < values.length && field.nullable.length > 0;
  return hasNull ? listed.or(importer.leaf(at, field, (each) => each.isNil(), true, true)) : listed;
}

/**
 * Returns a filter model of AG Grid that selects the rows which a filter selects. The grid has a filter for each column, joined with
 * `and`; a filter that needs more, such as `or` between two columns, is refused.
 *
 * @throws FilterSyntaxError and FilterLimitError as `parse`; TypeError if an option is invalid.
 */
export function toAgGrid(filter: FilterSource, options: AgGridOptions): Conversion<AgGridModel> {
  checkConvertOptions('toAgGrid', options, names);
  const exporter = new Exporter('toAgGrid', filter, options);
  return exporter.export((ast, analysis) => {
    const columns = new Map<string, ColumnFilter>();
    for (const each of exportNode(ast, false, analysis, options)) {
      if (each.all.length === 0) continue;
      if (each.all.some((some) => some.length === 0))
        refuse(each.at, 'a filter of the grid cannot match no row');
      const earlier = columns.get(each.id);
      const both = earlier === undefined ? each : { ...each, all: [...earlier.all, ...each.all] };
      if (earlier !== undefined && both.all.some((some) => some.length > 1))
        refuse(each.at, `${each.id} needs both "and" and "or"`);
      columns.set(each.id, both);
    }
    return Object.fromEntries([...columns].map(([id, column]) => [id, filterOf(column, options)]));
  });
}

/** A filter of one column: alternatives that all must hold. */
interface ColumnFilter {
  readonly at: string;
  readonly id: string;
  readonly all: readonly (readonly AgGridCondition[])[];
}

function filterOf({ at, all }: ColumnFilter, { maxNumConditions = 2 }: AgGridOptions): AgGridFilter {
  const conditions = all.flat();
  const [first] = conditions;
  if (first === undefined) return refuse(at, 'there is no condition');
  if (conditions.length === 1) return first;
  const max = first.type === 'true' || first.type === 'false' ? 1 : maxNumConditions;
  if (conditions.length > max)
    refuse(at, `${conditions.length} conditions are needed, and this column has at most ${max}`);
  return { filterType: first.filterType, operator: all.length > 1 ? 'AND' : 'OR', conditions };
}

/** Returns the filters of columns whose conjunction is a node or its negation. */
function exportNode(
  node: Expression,
  negated: boolean,
  analysis: Analysis,
  options: AgGridOptions,
): readonly ColumnFilter[] {
  switch (node.kind) {
    case 'not':
      return exportNode(node.operand, !negated, analysis, options);
    case 'and':
    case 'or': {
      const parts = node.operands.map((each) => exportNode(each, negated, analysis, options));
      if ((node.kind === 'and') !== negated) return parts.flat();
      const [first] = parts[0] ?? [];
      const isOne = parts.every(
        ([each, ...more]) => each?.id === first?.id && more.length === 0 && each?.all.length === 1,
      );
      if (first === undefined || !isOne)
        return refuse(print(node), '"or" is possible only between conditions of one column');
      return [{ ...first, all: [parts.flatMap(([each]) => each?.all[0] ?? [])] }];
    }
    case 'match': {
      const match = readMatch(node, analysis);
      return [
        { at: match.at, id: nameOf(match.path), all: exportMatch(match, match.negated !== negated, options) },
      ];
    }
    case 'any':
    case 'all':
      return refuse(print(node), 'there is no filter for the elements of a list');
  }
}

/** The types of conditions by operator, and those of their negations. */
const texts: Readonly<Partial<Record<OperatorName, readonly [string, string?]>>> = {
  '==': ['equals', 'notEqual'],
  in: ['contains', 'notContains'],
  'starts with': ['startsWith'],
  'ends with': ['endsWith'],
};
const numbers: Readonly<Partial<Record<OperatorName, readonly [string, string]>>> = {
  '==': ['equals', 'notEqual'],
  '<': ['lessThan', 'greaterThanOrEqual'],
  '<=': ['lessThanOrEqual', 'greaterThan'],
  '>': ['greaterThan', 'lessThanOrEqual'],
  '>=': ['greaterThanOrEqual', 'lessThan'],
};

function exportMatch(
  match: ExportedMatch,
  negated: boolean,
  { caseSensitive = false }: AgGridOptions,
): readonly (readonly AgGridCondition[])[] {
  const { at, type, canBeNull, operator, isLength, ignoresCase, values, other } = match;
  if (isLength) refuse(at, 'there is no filter for lengths');
  if (other !== null) refuse(at, 'a filter cannot compare with another column');
  const isNumber = ['int', 'uint', 'float32', 'float64', 'bytes'].includes(type.kind);
  const isScalar = isNumber || type.kind === 'time';
  if (operator === 'is nil') {
    if (!isScalar) return refuse(at, 'for the grid, a string of blanks is null too');
    return [[{ filterType: isNumber ? 'number' : 'date', type: negated ? 'notBlank' : 'blank' }]];
  }
  if (type.kind === 'bool' && operator === '==') {
    if (negated && canBeNull) return refuse(at, 'the filter of a boolean column never matches null');
    return [[{ filterType: 'text', type: String((values[0] === true) !== negated) }]];
  }
  const isList = operator === 'in [..]';
  const name = (isScalar ? numbers : texts)[isList ? '==' : operator]?.[negated ? 1 : 0];
  if (name === undefined || (!isScalar && type.kind !== 'string'))
    return refuse(
      at,
      `there is no filter for ${negated ? 'the negation of ' : ''}"${operator}" on a ${type.kind}`,
    );
  if (!isScalar && ignoresCase === caseSensitive)
    refuse(
      at,
      ignoresCase
        ? 'the filter of the column distinguishes letter case'
        : 'the filter of the column ignores letter case; compare with "text"i, or set caseSensitive',
    );
  if (isList && values.length === 0 && negated) return [];
  // A date filter has no types for "or equal" unless the column lists them, and ignores a model with an unknown type.
  const types =
    type.kind === 'time' && name.endsWith('OrEqual') ? [name.slice(0, -'OrEqual'.length), 'equals'] : [name];
  const conditions = types.flatMap((each) =>
    values.map((value): AgGridCondition => conditionOf(at, type.kind, isNumber, each, value)),
  );
  // In filters of numbers and dates, only blank is true for null.
  const needsBlank = negated && isScalar && canBeNull;
  if (needsBlank && values.length > 1)
    return refuse(at, 'the filter of a column cannot join null with several values');
  if (needsBlank) return [[...conditions, { filterType: isNumber ? 'number' : 'date', type: 'blank' }]];
  return negated && isList ? conditions.map((each) => [each]) : [conditions];
}

function conditionOf(
  at: string,
  kind: string,
  isNumber: boolean,
  type: string,
  value: string | number | boolean,
): AgGridCondition {
  if (isNumber)
    return typeof value === 'number'
      ? { filterType: 'number', type, filter: value }
      : refuse(at, `${String(value)} is not a number`);
  if (kind !== 'time')
    return value === ''
      ? refuse(at, 'a filter has no empty string')
      : { filterType: 'text', type, filter: String(value) };
  const instant = typeof value === 'string' ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(instant.getTime()) || instant.getUTCMilliseconds() !== 0)
    return refuse(at, `${String(value)} is not a whole second`);
  return { filterType: 'date', type, dateFrom: instant.toISOString().slice(0, 19).replace('T', ' ') };
}
