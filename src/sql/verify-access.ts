import { ruleSamples, type SampledPolicy } from '../filter/access-filter.js';
import { describe } from '../language/diagnostics/options.js';
import { tableOf } from './sql-mapping.js';
import { inexactClauses, SqlFilterError } from './where.js';

/**
 * Checks that a database can evaluate every rule of a policy exactly. Call it when the program starts: otherwise a rule that the
 * database cannot evaluate is found by the first request of a caller for whom it matters.
 *
 * @param policy created by `definePolicy`
 * @param table created by `sqlMapping` or `sqlListSource`
 * @throws SqlFilterError that names the conditions which are not exact.
 * @throws TypeError if an argument is of another kind.
 */
export function verifyAccess(policy: object, table: object): void {
  const { mapping } = tableOf('verifyAccess', table);
  if (typeof policy !== 'object' || (policy as unknown) === null || !(ruleSamples in policy))
    throw new TypeError(`verifyAccess: policy must be created with definePolicy(), got ${describe(policy)}`);
  const { schema, samples } = (policy as SampledPolicy)[ruleSamples];
  if (schema !== mapping.schema)
    throw new TypeError('verifyAccess: the policy and the table must have the same schema');
  const clauses = samples.flatMap(({ rule, filter }) =>
    filter === null
      ? []
      : inexactClauses(mapping, filter).map((clause) => ({
          ...clause,
          filter: `rules[${rule}]: ${clause.filter}`,
        })),
  );
  if (clauses.length > 0) throw new SqlFilterError(clauses);
}
