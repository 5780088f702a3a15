/** Exit codes of commands that ask an agent. */
export const exitCodes = {
  failed: 1,
  /** What was waited for has failed: a deployment, or a place for all of a job. */
  outcomeFailed: 2,
  /** `EX_USAGE` of sysexits.h. 2 is taken, so that scripts can tell. */
  usage: 64,
  interrupted: 130,
} as const;
