import { firstParameter } from '@tamis/http';
import { defaultNamespace } from '@tamis/scheduler-model/namespace.js';
import type { TableRows } from 'tamis/table';
import type { Selection } from 'tamis/query';
import type { ReadQuery } from '../kernel/query.js';

/**
 * Selects rows of a namespace, oldest first; by ID if a prefix is given.
 *
 * @param conditions parameters compared with a field: `{ status: 'Status' }`. Empty ones are ignored.
 */
export function selectCreated<T extends { readonly ID: string; readonly Namespace: string }>(
  { primary, listed, indexes }: TableRows<T>,
  { namespace, prefix, parameters }: ReadQuery,
  conditions: Readonly<Record<string, keyof T & string>> = {},
): Selection<T> {
  const requested = Object.entries(conditions)
    .map(([name, field]) => [field, firstParameter(parameters, name)] as readonly [keyof T & string, string])
    .filter(([, value]) => value !== '');
  if (namespace !== '*') requested.push(['Namespace', namespace || defaultNamespace]);
  return {
    rows: prefix === '' ? listed : primary,
    keyPrefix: prefix,
    where: requested.length === 0 ? null : (row) => requested.every(([field, value]) => row[field] === value),
    // The rows of one field value are ordered by age.
    ...(prefix === '' ? { indexes, lookups: requested.map(([field, key]) => ({ field, key })) } : {}),
  };
}
