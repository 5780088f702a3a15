import { isErrorOf, markError } from '../runtime/shared-identity.js';
import { readInstant } from '../filter/compile/frame/clock.js';
import { mayFail } from '../filter/compile/can-fail.js';
import { clausesOf, clausesWithout } from '../filter/compile/plan.js';
import { compiledAccess, readAccess, type AccessFilter } from '../filter/access-filter.js';
import type { FilterOptions } from '../filter/compile/filter-options.js';
import { compileWhole, partsOf as partsOfFilter, type Filter } from '../filter/filter.js';
import type { FilterSource } from '../language/parse.js';
import { analyse, type Analysis } from '../language/schema/analysis.js';
import type { Field, StructType } from '../language/schema/type.js';
import type { Expression } from '../language/syntax/ast.js';
import { selectorsOf } from '../language/syntax/visit.js';
import { print } from '../language/syntax/print.js';
import type { Limits } from '../language/diagnostics/limits.js';
import type { StoredAs } from './column.js';
import type { ColumnAccess } from './column-access.js';
import type { MappedField, Mapping } from './mapping.js';
import {
  always,
  and,
  never,
  ofParts,
  or,
  partsOf,
  sql,
  sqlTextOf,
  type Placeholder,
  type Sql,
  templateOf,
  type SqlParts,
  type SqlTemplate,
  type SqlValue,
} from './sql.js';
import { translate, type Translation } from './translate.js';

/** The translation of a clause: an operand of the top-level `and` of a filter. */
export interface SqlClause {
  /** Its source, as `print` writes it. */
  readonly filter: string;
  /**
   * `exact`: the database evaluates it. `partial`: the database excludes some of the rows that do not match, and the residual
   * excludes the rest. `residual`: the database does not evaluate it.
   */
  readonly by: 'exact' | 'partial' | 'residual';
  /** The reason why it is not exact; null if it is. */
  readonly why: string | null;
}

/** A condition for WHERE. Its SQL contains only the structure of the filter: all literals are parameters. */
export interface SqlCondition<T = unknown> {
  /** Whether the condition selects exactly the rows of the filter, for all values that the columns can store. */
  readonly exact: boolean;
  /** The filter to apply to the rows that the database returns; null if all of them match. */
  readonly residual: Filter<T> | null;
  readonly clauses: readonly SqlClause[];
  /** The condition with placeholders for its values, such as `$1`, `$2` or `?`. `first` is the number of the first one. */
  toSQL(placeholder: Placeholder, options?: { readonly first?: number }): string;
  readonly values: SqlValue[];
  /** As a template literal: `sql(parts.strings, ...parts.values)` in Kysely and similar builders. */
  readonly parts: SqlTemplate;
  /** For `whereRaw` of Knex, which reads `?` as a placeholder. */
  knex(): { readonly sql: string; readonly bindings: SqlValue[] };
}

export interface WhereOptions {
  /** The instant of `now` in the filter. Default: the system clock. */
  readonly now?: Date | undefined;
  /** An additional condition that is combined with the filter's. Rows that it excludes are never evaluated or reported. */
  readonly scope?: SqlParts | undefined;
  /** `exact` rejects a filter that would leave a residual. */
  readonly require?: 'exact' | undefined;
  /**
   * The rows that the caller may see, from `policy.access`. Other rows are never fetched, evaluated or reported. The database
   * must evaluate the access filter exactly.
   */
  readonly access?: AccessFilter<never>;
  /** As for `compileFilter`. With `error`, the default, the database does not evaluate clauses that may fail for a row. */
  readonly unresolved?: FilterOptions['unresolved'];
  readonly limits?: Partial<Limits> | undefined;
}

/** Thrown for a filter that would leave a residual although none is allowed. */
export class SqlFilterError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, SqlFilterError, value, 'SqlFilterError');
  }

  override readonly name = 'SqlFilterError';
  /** The clauses that the database does not evaluate. */
  readonly clauses: readonly SqlClause[];

  constructor(clauses: readonly SqlClause[]) {
    const named = clauses.map(({ filter, why }) => `${clip(filter)} (${why ?? ''})`).join('; ');
    super(`The database cannot evaluate all of this filter: ${named}`);
    markError(this, 'SqlFilterError');
    this.clauses = clauses;
  }
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Maximum number of values of one condition. Engines allow 65,535 (PostgreSQL) or 32,766 (SQLite). */
const maxValues = 5_000;
/** Maximum length of the SQL, in UTF-16 units. */
const maxText = 262_144;

/** A translated condition with its parts. */
export interface ReadCondition extends SqlCondition {
  readonly sql: Sql;
  readonly filter: Filter;
  /** The filter's own clauses. */
  readonly nodes: readonly Expression[];
  readonly now: Date;
}

/** Translates a filter. @throws FilterError as `compileFilter` does, SqlFilterError if all must be exact and is not. */
export function whereOf(mapping: Mapping, filter: FilterSource, options: WhereOptions): ReadCondition {
  const { schema } = mapping;
  const { now = new Date(), scope, require, access, unresolved = 'error', limits } = options;
  const millis = readInstant(now);
  const settings = { schema, unresolved, now: () => now, ...(limits === undefined ? {} : { limits }) };
  const { filter: whole, tree, analysis, part } = compileWhole(filter, settings);
  const nodes = clausesOf(tree);
  const translation = translationOf(mapping, whole.usesNow ? millis : null, unresolved === 'deny');
  // An access filter that is undefined by mistake must not grant everything.
  const granted = 'access' in options ? accessCondition(mapping, access as AccessFilter<never>, now) : always;
  const failures = unresolved === 'error' ? failuresIn(mapping, analysis) : null;
  const clauses: SqlClause[] = [];
  const conditions: Sql[] = [];
  const pushedDown: number[] = [];
  let isOpen = true;
  // Condition for rows on which a clause so far may fail. They must be fetched, whatever later clauses say.
  let failing = never;
  let left = spend(budgetOf(mapping), partsOf(granted)) ?? { values: 0, text: 0 };
  for (const [at, node] of nodes.entries()) {
    if (isOpen && failures !== null) {
      const fails = failures(node);
      if (fails === null) isOpen = false;
      else failing = or([failing, fails]);
    }
    if (!isOpen) {
      clauses.push({
        filter: print(node),
        by: 'residual',
        why: 'it or a clause before it may fail for a row',
      });
      continue;
    }
    const found = translate(node, analysis, translation);
    const condition = found.sql === null ? null : or([found.sql, failing]);
    const spent = condition === null ? null : spend(left, partsOf(condition));
    if (condition === null || spent === null) {
      const why = condition !== null ? 'the statement would be too long' : found.why;
      clauses.push({ filter: print(node), by: 'residual', why });
      continue;
    }
    left = spent;
    conditions.push(condition);
    const isExact = found.isExact && failing === never;
    if (isExact) pushedDown.push(at);
    const why = found.isExact ? 'it or a clause before it fails for a row that has null there' : found.why;
    clauses.push({ filter: print(node), by: isExact ? 'exact' : 'partial', why: isExact ? null : why });
  }
  const open = clauses.filter(({ by }) => by !== 'exact');
  if (require === 'exact' && open.length > 0) throw new SqlFilterError(open);
  const rest = clausesWithout(nodes, pushedDown);
  const residual = rest === null ? null : (rest === tree ? whole : part(rest)).at(now);
  const own = and([granted, ...conditions]);
  const all = scope === undefined ? own : sql`((${ofParts(scope)}) AND ${own})`;
  return conditionOf(all, { clauses, residual, nodes, filter: whole.at(now), now });
}

function translationOf(mapping: Mapping, now: number | null, denies: boolean): Translation {
  const rootField = (property: string): ColumnAccess | null => mapping.fields.get(property)?.access ?? null;
  return { dialect: mapping.dialect, rootField, now, denies };
}

/**
 * Returns the condition of an access filter. @throws SqlFilterError naming the matches that the database cannot evaluate exactly;
 * TypeError if the access filter does not come from `policy.access`, or is for rows of another schema.
 */
export function accessCondition(mapping: Mapping, given: AccessFilter<never>, now: Date): Sql {
  const unbound = readAccess('where', given);
  const access = unbound.usesNow ? readAccess('where', unbound.at(now)) : unbound;
  if (access.schema !== mapping.schema)
    throw new TypeError('where: the policy of access and the mapping must have the same schema');
  if (access.kind !== 'some') return access.kind === 'all' ? always : never;
  const { tree, analysis, translation } = translationOfAccess(mapping, access[compiledAccess] as Filter, now);
  const found = translate(tree, analysis, translation);
  if (found.sql === null || !found.isExact)
    throw new SqlFilterError(inexactMatches(tree, analysis, translation));
  if (spend(budgetOf(mapping), partsOf(found.sql)) === null)
    throw new SqlFilterError([
      { filter: print(tree), by: 'residual', why: 'the statement would be too long' },
    ]);
  return found.sql;
}

/**
 * Returns the matches and collections of a filter with `unresolved: 'deny'` that the database cannot evaluate exactly, so that an
 * access filter cannot contain them.
 */
export function inexactClauses(mapping: Mapping, filter: Filter): readonly SqlClause[] {
  const { tree, analysis, translation } = translationOfAccess(mapping, filter, new Date());
  return inexactMatches(tree, analysis, translation);
}

function translationOfAccess(mapping: Mapping, filter: Filter, now: Date) {
  const parts = partsOfFilter(filter);
  if (parts === null) throw new TypeError('where: access must come from policy.access');
  const { tree, analysis } = parts;
  return { tree, analysis, translation: translationOf(mapping, parts.now ?? readInstant(now), true) };
}

function inexactMatches(node: Expression, analysis: Analysis, translation: Translation): SqlClause[] {
  if (node.kind === 'and' || node.kind === 'or')
    return node.operands.flatMap((operand) => inexactMatches(operand, analysis, translation));
  const { sql: condition, isExact, why } = translate(node, analysis, translation);
  if (condition !== null && isExact) return [];
  return [{ filter: print(node), by: condition === null ? 'residual' : 'partial', why }];
}

/** Creates a condition without a filter. */
export function conditionOf(
  condition: Sql,
  rest: Pick<ReadCondition, 'clauses' | 'residual' | 'nodes' | 'filter' | 'now'>,
): ReadCondition {
  const parts = partsOf(condition);
  return {
    ...rest,
    sql: condition,
    exact: rest.residual === null,
    toSQL: (placeholder, { first = 1 } = {}) => sqlTextOf(parts, placeholder, first),
    values: parts.values,
    parts: templateOf(parts),
    knex: () => ({
      sql: sqlTextOf({ ...parts, strings: parts.strings.map((text) => text.replaceAll('?', '\\?')) }, '?'),
      bindings: parts.values,
    }),
  };
}

function budgetOf({ dialect }: Mapping) {
  return { values: maxValues, text: dialect.maxText ?? maxText };
}

function spend(
  left: { readonly values: number; readonly text: number },
  { strings, values }: SqlParts,
): typeof left | null {
  const after = {
    values: left.values - values.length,
    text: strings.reduce((rest, { length }) => rest - length, left.text),
  };
  return after.values < 0 || after.text < 0 ? null : after;
}

/**
 * Returns the condition for rows on which a clause may fail: none, or rows that are null in some columns; null if that is
 * unknown.
 */
function failuresIn(mapping: Mapping, analysis: Analysis): (node: Expression) => Sql | null {
  const { strict, loose } = storedTypes(mapping);
  const [stored, present] = [analyse(strict), analyse(loose)];
  return (node) => {
    if (!mayFail(node, analysis) || !mayFail(node, stored)) return never;
    return mayFail(node, present) ? null : nullsOf(node, mapping);
  };
}

/** Returns the condition for rows that are null in a column that an expression reads. A loop variable counts as a column too. */
function nullsOf(node: Expression, { schema, fields }: Mapping): Sql {
  const names = new Set(selectorsOf(node).map(({ path: [first = ''] }) => first));
  return or(
    [...names].flatMap((name): Sql[] => {
      const property = schema.root.fields.get(name)?.property;
      const isNull = property === undefined ? null : (fields.get(property)?.access.isNull ?? null);
      return isNull === null ? [] : [isNull];
    }),
  );
}

/** The types of rows for `mayFail`. */
interface StoredTypes {
  /** Types as stored by the columns: NOT NULL columns are never null, and instants are always valid. */
  readonly strict: StructType;
  /** Types of rows without null in any column of single values. */
  readonly loose: StructType;
}

function storedTypes(mapping: Mapping): StoredTypes {
  let found = known.get(mapping);
  if (found === undefined) {
    const of = (isPresent: boolean): StructType => narrowed(mapping.schema.root, mapping.fields, isPresent);
    known.set(mapping, (found = { strict: of(false), loose: of(true) }));
  }
  return found;
}

const known = new WeakMap<Mapping, StoredTypes>();

const composite: ReadonlySet<string> = new Set<StoredAs>(['array', 'json', 'map', 'struct']);
const instants: ReadonlySet<string> = new Set<StoredAs>([
  ...(['timestamptz', 'timestamp', 'date', 'datetime', 'datetime64'] as const),
]);

function narrowed(
  struct: StructType,
  fields: ReadonlyMap<string, MappedField>,
  isPresent: boolean,
): StructType {
  const narrow = (field: Field): Field => {
    const mapped = fields.get(field.property);
    if (mapped === undefined) return field;
    if (mapped.parts !== null && field.type.kind === 'struct')
      return { ...field, type: narrowed(field.type, mapped.parts, false) };
    const { column } = mapped;
    if (column === null || column.store === 'json') return field;
    const isNever = column.notNull || (isPresent && !composite.has(column.store));
    const type = isNever ? { ...field.type, nullDepth: 0 } : field.type;
    const isInstant = column.store === 'timeText' || (instants.has(column.store) && column.isChecked);
    return { ...field, type: isInstant ? { kind: 'time', unit: 'us', nullDepth: type.nullDepth } : type };
  };
  return {
    ...struct,
    fields: new Map([...struct.fields].map(([name, field]) => [name, narrow(field)])),
  };
}
