/** The keys of a log, all of which begin with one prefix, such as `/scheduler/global/`. */
export type Layout = ReturnType<typeof layoutOf>;

export function layoutOf(prefix: string) {
  return {
    prefix,
    /** The key of the election: a commit is guarded by the revision that created it. */
    leader: `${prefix}leader`,
    head: `${prefix}head`,
    /** The key prefix of rows. */
    rows: `${prefix}r/`,
    /** The key prefix of the chunks of staged commits. */
    chunks: `${prefix}c/`,
    /** The key prefix of the chunks of one commit; they are numbered from 0 in eight digits. */
    chunksOf: (id: string): string => `${prefix}c/${id}/`,
  };
}

/** Whether a string can be the prefix of a log: it must be a path, because other keys could belong to other programs. */
export function isLogPrefix(text: string): boolean {
  return /^\/(?:[A-Za-z0-9._-]+\/)+$/.test(text);
}
