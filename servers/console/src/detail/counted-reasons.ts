/** A reason and its count. */
export type CountedReason = readonly [reason: string, count: number];

/**
 * Returns the entries of a table of reasons, most frequent first. Rows may contain any value; entries without a valid count are
 * omitted.
 */
export function countedReasons(table: unknown): readonly CountedReason[] {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return [];
  return Object.entries(table)
    .map(([reason, count]): CountedReason => [reason, Number(count)])
    .filter(([, count]) => Number.isFinite(count))
    .sort(([, one], [, other]) => other - one);
}
