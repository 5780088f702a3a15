/** The keys of a log, all of which begin with one prefix, such as `/scheduler/global/`. */
export interface Layout {
  readonly prefix: string;
  /** The key of the election: a commit is guarded by the revision that created it. */
  readonly leader: string;
  readonly head: string;
  /** The key prefix of rows. */
  readonly rows: string;
  /** The key prefix of the chunks of staged commits. */
  readonly chunks: string;
  /** The key prefix of the chunks of one commit; they are numbered from 0 in eight digits. */
  chunksOf(id: string): string;
}

export function layoutOf(prefix: string): Layout {
  return {
    prefix,
    leader: `${prefix}leader`,
    head: `${prefix}head`,
    rows: `${prefix}r/`,
    chunks: `${prefix}c/`,
    chunksOf: (id) => `${prefix}c/${id}/`,
  };
}

/** Whether a string can be the prefix of a log: it must be a path, because other keys could belong to other programs. */
export function isLogPrefix(text: string): boolean {
  return /^\/(?:[A-Za-z0-9._-]+\/)+$/.test(text);
}
