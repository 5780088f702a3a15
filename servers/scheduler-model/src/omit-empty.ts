/**
 * Returns the non-empty fields of a row. Evaluations and allocations are shown without empty strings, zeros, false, null, and
 * empty lists and maps.
 */
export function omitEmpty(row: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === '' || value === 0 || value === 0n || value === false;
}
