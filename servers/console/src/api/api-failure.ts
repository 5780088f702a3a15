/** Why a question has no answer. */
export interface ApiFailure {
  readonly kind: FailureKind;
  /** The status of HTTP; 0 where there was no answer at all. */
  readonly status: number;
  /** What the agent said, as it said it; text of ours where it said nothing. */
  readonly message: string;
}

/**
 * `denied`: the token may not. `refused`: the question is wrong. `no-leader`: there is none right now. `busy`: too much is
 * asked for. `unreachable`: nobody answers. `left`: whoever asked does not want to know any more.
 */
export type FailureKind =
  'denied' | 'missing' | 'refused' | 'no-leader' | 'busy' | 'failed' | 'unreachable' | 'left';

/** The failure that an answer other than 200 tells of. */
export function failureOf(status: number, text: string): ApiFailure {
  const message = text.trim() === '' ? `The agent answered ${status}.` : text.trim();
  return { kind: kindOf(status, message), status, message };
}

function kindOf(status: number, message: string): FailureKind {
  if (status === 403) return 'denied';
  if (status === 404) return 'missing';
  if (status === 429 || status === 503) return 'busy';
  if (status >= 400 && status < 500) return 'refused';
  return /no cluster leader/i.test(message) ? 'no-leader' : 'failed';
}

/** Whether the same question may have an answer in a moment. */
export function isPassing({ kind }: ApiFailure): boolean {
  return kind === 'no-leader' || kind === 'busy' || kind === 'failed' || kind === 'unreachable';
}

/** A failure of a request that got no answer. */
export function unanswered(error: unknown, signal: AbortSignal | undefined): ApiFailure {
  if (signal?.aborted === true) return { kind: 'left', status: 0, message: 'The question was taken back.' };
  const isSlow = error instanceof DOMException && error.name === 'TimeoutError';
  const message = isSlow ? 'The agent does not answer in time.' : 'The agent cannot be reached.';
  return { kind: 'unreachable', status: 0, message };
}
