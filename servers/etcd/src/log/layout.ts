/** The keys of a log, all of which begin with one prefix, such as `/scheduler/global/`. */
export interface Layout {
  readonly prefix: string;
  /** The key of the election: a commit is guarded by the revision that created it. */
  readonly leader: string;
  readonly head: string;
  /** What rows' keys begin with. */
  readonly rows: string;
  /** What chunks of commits that are not unpacked begin with. */
  readonly chunks: string;
  /** What the chunks of one commit begin with; they are numbered from 0 in eight digits. */
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

/** Whether a text can be the prefix of a log: a path, for what is not below one of its own could be somebody else's. */
export function isLogPrefix(text: string): boolean {
  return /^\/(?:[A-Za-z0-9._-]+\/)+$/.test(text);
}
