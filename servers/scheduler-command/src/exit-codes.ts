/** Exit codes of commands that call an agent. */
export const exitCodes = {
  failed: 1,
  /** The awaited operation failed: a deployment, or the placement of a whole job. */
  outcomeFailed: 2,
  /** `EX_USAGE` of sysexits.h. Not 2, so that scripts can distinguish it. */
  usage: 64,
  interrupted: 130,
} as const;
