/** Reason for a failed request. The HTTP API maps these codes to statuses. */
export type SchedulerErrorCode =
  | 'bad-request'
  | 'url-too-long'
  | 'bad-stale'
  | 'invalid-per-page'
  | 'bad-wait'
  | 'bad-index'
  | 'bad-event-query'
  | 'bad-switch'
  | 'invalid-watch'
  | 'filter-with-parameter'
  | 'no-region'
  | 'region-unreachable'
  | 'no-leader'
  | 'not-here'
  | 'unknown-outcome'
  | 'bad-namespace'
  | 'namespace-in-use'
  | 'not-found'
  | 'empty-body'
  | 'bad-body'
  | 'no-job'
  | 'no-job-id'
  | 'other-job-id'
  | 'bad-eval-priority'
  | 'invalid-job'
  | 'enforce-index'
  | 'not-periodic'
  | 'bad-dispatch'
  | 'bad-deployment'
  | 'bad-scaling'
  | 'bad-node-request'
  | 'row-too-large'
  | 'too-many-waiters'
  | 'too-many-queries'
  | 'too-many-nodes'
  | 'stopping'
  | 'unknown-profile'
  | 'profile-too-long'
  | 'profiles-busy'
  | 'bad-log-option'
  | 'permission-denied'
  | 'acl-disabled'
  | 'already-bootstrapped'
  | 'bad-acl'
  | 'wrong-mode'
  | 'server-only'
  | 'bad-agent-request'
  | 'no-server-answers'
  | 'unknown-server'
  | 'unknown-node'
  | 'no-servers'
  | 'no-members'
  | 'agent-unreachable'
  | 'node-busy'
  | 'too-many-streams'
  | 'bad-file-request'
  | 'file-refused'
  | 'bad-lifecycle-request'
  | 'client-gone';

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

/** Returns the error of a request whose client disconnected. */
export function clientDisconnected(): SchedulerError {
  return new SchedulerError('client-gone', 'The client disconnected');
}

/** Returns a thrown value as a readable string. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
