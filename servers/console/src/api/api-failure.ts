/** Reason for a failed request. */
export interface ApiFailure {
  readonly kind: FailureKind;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The message of the agent; a default message if it sent none. */
  readonly message: string;
}

/**
 * `denied`: the token lacks the right. `missing`: not found. `refused`: the request is invalid. `no-leader`: the cluster has no
 * leader at the moment. `busy`: too many requests, or the agent is unavailable. `failed`: any other failure. `unreachable`: no
 * response. `left`: the caller has aborted the request.
 */
export type FailureKind =
  'denied' | 'missing' | 'refused' | 'no-leader' | 'busy' | 'failed' | 'unreachable' | 'left';

/** Returns the failure for a response with a status other than 200. */
export function failureOf(status: number, text: string): ApiFailure {
  const message = text.trim() === '' ? `The agent responded with status ${status}.` : text.trim();
  return { kind: kindOf(status, message), status, message };
}

function kindOf(status: number, message: string): FailureKind {
  if (status === 403) return 'denied';
  if (status === 404) return 'missing';
  if (status === 429 || status === 503) return 'busy';
  if (status >= 400 && status < 500) return 'refused';
  return /no cluster leader/i.test(message) ? 'no-leader' : 'failed';
}

/** Whether a retry may succeed soon. */
export function isPassing({ kind }: ApiFailure): boolean {
  return kind === 'no-leader' || kind === 'busy' || kind === 'failed' || kind === 'unreachable';
}

/** Returns the failure of a request without a response. */
export function unanswered(error: unknown, signal: AbortSignal | undefined): ApiFailure {
  if (signal?.aborted === true) return { kind: 'left', status: 0, message: 'The request was cancelled.' };
  const isSlow = error instanceof DOMException && error.name === 'TimeoutError';
  const message = isSlow ? 'The agent did not respond in time.' : 'The agent cannot be reached.';
  return { kind: 'unreachable', status: 0, message };
}
