import type { FacetCount, FacetCounts } from '../lists/query/scan/count-facets.js';
import type { FacetField } from '../lists/query/request/facet-query.js';
import { createValueTally } from '../lists/query/scan/value-counts.js';
import type { DriverRow } from './decode.js';
import type { SqlDialect } from './dialect.js';
import type { MappedField, Mapping } from './mapping.js';
import { mappedField } from './row-order.js';
import { raw, sql, type Sql } from './sql.js';

/** Maximum number of distinct values that are counted; the same as for rows in memory. */
const maxCounted = 10_000;
/** Replaces values that are too long to be reported. */
const untold = '-'.repeat(300);

/**
 * Counts values in the database; null if a field has no column of its own.
 *
 * @param limit maximum total; counting stops at one more
 */
export async function countInDatabase<T>(
  mapping: Mapping,
  where: Sql,
  fields: readonly FacetField<T>[],
  run: (statement: Sql) => Promise<readonly DriverRow[]>,
  limit?: number,
): Promise<FacetCounts | null> {
  const { dialect, from } = mapping;
  const { asText } = dialect;
  const values = fields.map(({ text: path, isPlain }) =>
    valueOf(mappedField(mapping, path), isPlain, dialect),
  );
  if (values.includes(null)) return null;
  const [counted] = await run(
    sql`SELECT ${asText(raw('count(*)'))} AS n FROM ${limit === undefined ? sql`${from} WHERE ${where}` : sql`(SELECT 1 FROM ${from} WHERE ${where} LIMIT ${raw(String(limit + 1))}) AS tamis_counted`}`,
  );
  const facets: [string, FacetCount][] = [];
  for (const [at, { name, format }] of fields.entries()) {
    const value = values[at] ?? raw('NULL');
    const groups = await run(
      sql`SELECT v, ${asText(raw('tamis_groups.n'))} AS n, ${asText(raw('sum(tamis_groups.n) OVER ()'))} AS whole FROM (SELECT ${value} AS v, count(*) AS n FROM ${from} WHERE ${where} GROUP BY 1) AS tamis_groups ORDER BY tamis_groups.n DESC, v LIMIT ${raw(String(maxCounted))}`,
    );
    const tally = createValueTally();
    let rest = Number(groups[0]?.whole ?? 0);
    for (const { v, n } of groups) {
      rest -= Number(n);
      if (v !== null) tally.add(String(v), Number(n));
    }
    if (rest > 0) tally.add(untold, rest);
    const { values: counted, others } = tally.finish();
    facets.push([
      name,
      { values: counted.map(({ value: each, count }) => ({ value: format(each), count })), others },
    ]);
  }
  return { total: Number(counted?.n ?? 0), facets: Object.fromEntries(facets) };
}

/** Returns the value of a field as a string. `isPlain` says that null counts as the zero value, as in the indexes of filters. */
function valueOf(field: MappedField | null, isPlain: boolean, dialect: SqlDialect): Sql | null {
  const column = field?.column ?? null;
  if (field === null || column === null) return null;
  const { expression, access } = field;
  const orZero = (zero: string): Sql => (isPlain ? sql`COALESCE(${expression}, ${raw(zero)})` : expression);
  switch (column.store) {
    case 'text':
      // Compared by bytes, whatever the collation of the column.
      return dialect.name === 'postgres' ? orZero("''") : dialect.bytewise(orZero("''"));
    case 'looseText':
    case 'uuid':
    case 'enum': {
      const scalar = access.scalar();
      if (scalar?.kind !== 'text') return null;
      return isPlain ? sql`COALESCE(${scalar.text.value}, '')` : scalar.text.value;
    }
    case 'int':
      return dialect.asText(orZero('0'));
    case 'bool':
      return sql`CASE WHEN ${orZero('FALSE')} THEN 'true' WHEN NOT ${orZero('FALSE')} THEN 'false' END`;
    default:
      return null;
  }
}
