/**
 * Vectors that are not expected to agree, by id, each with the reason. Empty: a vector belongs here only when the
 * difference is intended and documented.
 */
export const skipList: ReadonlyMap<string, string> = new Map<string, string>([]);
