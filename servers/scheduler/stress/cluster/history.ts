/** A version of a job: the index under which it was written, the number of the version, and its writer's value. */
export interface JobState {
  /** JobModifyIndex; 0 for a job that is not there. */
  readonly index: number;
  /** From 0; -1 for a job that is not there. */
  readonly version: number;
  /** Different for each write; empty for a job that is not there. */
  readonly value: string;
}

interface Timed {
  readonly job: string;
  /** The called server. */
  readonly server: string;
  /** When it was sent, and when its response arrived, in ms of one clock. */
  readonly start: number;
  readonly end: number;
}

/** A completed read; a stale one returns the server's local state. */
export interface ReadOperation extends Timed {
  readonly kind: 'read' | 'stale';
  readonly state: JobState;
}

/**
 * The outcome of a write: `written`; `refused`, because the job was not at its base; `undone`, if the response says that nothing
 * was written; `unknown`, if there was no response or one that says so.
 */
export type WriteOutcome = 'written' | 'refused' | 'undone' | 'unknown';

/** A write with check-and-set: it takes effect only if the job is at the index `base`. */
export interface WriteOperation extends Timed {
  readonly kind: 'write';
  readonly base: number;
  readonly value: string;
  readonly outcome: WriteOutcome;
  /** The index of the response; null unless it is written. */
  readonly index: number | null;
}

export type Operation = ReadOperation | WriteOperation;

export const absentJob: JobState = { index: 0, version: -1, value: '' };
