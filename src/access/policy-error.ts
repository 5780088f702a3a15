/** Why a policy is invalid. */
export type PolicyErrorCode =
  /** A rule is not a valid filter; `cause` is the error of the filter. */
  | 'bad-rule'
  /** The schema of the rows has a field `caller`, which rules use for the caller. */
  | 'caller-field'
  /** A rule compares the caller with a row in a way that no filter over rows expresses. */
  | 'no-residual'
  /** A rule names an action that the policy does not have. */
  | 'unknown-action';

/** A mistake in a policy: an error of the program, reported when the policy is defined. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';

  constructor(
    readonly code: PolicyErrorCode,
    /** Index of the invalid rule; null if the mistake is not in a rule. */
    readonly rule: number | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`definePolicy: ${rule === null ? '' : `rules[${rule}]: `}${message}`, options);
  }
}

/**
 * The access filter of one caller would exceed a limit, for example because a claim lists too many teams. No access filter is
 * created: respond with status 500 and no rows.
 */
export class AccessLimitError extends Error {
  override readonly name = 'AccessLimitError';

  constructor(
    message: string,
    readonly limit: number,
  ) {
    super(message);
  }
}
