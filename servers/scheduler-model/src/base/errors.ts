/** HTTP status of each reason for a failed request. A reason is distinguished only if its status or a caller differs. */
export const errorStatuses = {
  'bad-request': 400,
  'permission-denied': 403,
  'file-refused': 403,
  'not-found': 404,
  'unknown-node': 404,
  'row-too-large': 413,
  'url-too-long': 414,
  // Only sent to servers, which then try another server.
  'not-here': 421,
  'too-many-requests': 429,
  'node-busy': 429,
  // The client has disconnected.
  'client-gone': 499,
  unreachable: 500,
  'no-leader': 500,
  'no-members': 500,
  'unknown-outcome': 500,
  'wrong-mode': 501,
  stopping: 503,
} as const;

export type SchedulerErrorCode = keyof typeof errorStatuses;

/** Error of a failed request. The client receives the message as the whole body. */
export class SchedulerError extends Error {
  override readonly name = 'SchedulerError';
  readonly code: SchedulerErrorCode;

  /** @param options `cause`: details for the agent's log only. */
  constructor(code: SchedulerErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the error of a request that is wrong in itself. */
export function badRequest(message: string): SchedulerError {
  return new SchedulerError('bad-request', message);
}

/** Returns the error of a request for something that does not exist. */
export function notFound(message: string): SchedulerError {
  return new SchedulerError('not-found', message);
}

/** Returns the error of a request that needs an unreachable agent or region. @param options `cause`: details for the log only. */
export function unreachable(message: string, options?: ErrorOptions): SchedulerError {
  return new SchedulerError('unreachable', message, options);
}

/** Returns the error of a request whose client disconnected. */
export function clientDisconnected(): SchedulerError {
  return new SchedulerError('client-gone', 'The client disconnected');
}

/** Returns a thrown value as a readable string. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
