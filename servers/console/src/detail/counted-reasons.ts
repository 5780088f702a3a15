/** A reason and how many it is one for. */
export type CountedReason = readonly [reason: string, count: number];

/** Entries of a table of reasons, the most frequent first. Rows may contain anything: values that are not counts are left out. */
export function countedReasons(table: unknown): readonly CountedReason[] {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return [];
  return Object.entries(table)
    .map(([reason, count]): CountedReason => [reason, Number(count)])
    .filter(([, count]) => Number.isFinite(count))
    .sort(([, one], [, other]) => other - one);
}
