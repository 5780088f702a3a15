import { SecretsError } from '../base/errors.js';

/** The limits of a request body that apply before it is read. */
export interface BodyRule {
  /** Maximum body size of the route, in bytes. */
  readonly maxLength: number;
  /** Whether the route accepts a body without a token. */
  readonly isOpen: boolean;
}

/** The part of a budget that one request uses. */
export interface BodyCharge {
  /** @throws SecretsError `too-many-requests` if the budget is used up */
  take(bytes: number): void;
  release(): void;
}

/** Limits the total size of request bodies in memory, over all connections. */
export type BodyBudget = ReturnType<typeof createBodyBudget>;

/** The budgets of a server. They are separate, so that bodies without a token cannot use up the budget of those with one. */
export interface BodyBudgets {
  readonly open: BodyBudget;
  readonly withToken: BodyBudget;
}

/** Maximum total size of bodies without a token, such as logins, in bytes: 64 of maximum size, about 1,500 typical ones. */
const maxOpen = 4_194_304;
/** Maximum total size of bodies with a token, in bytes: 9 of the largest policies, 64 of the largest other bodies. */
const maxWithToken = 4_194_304;

export function createBodyBudgets(): BodyBudgets {
  return { open: createBodyBudget(maxOpen), withToken: createBodyBudget(maxWithToken) };
}

export function createBodyBudget(maximum: number) {
  let used = 0;
  return {
    charge(): BodyCharge {
      let own = 0;
      return {
        take(bytes) {
          if (used + bytes > maximum) {
            throw new SecretsError(
              'too-many-requests',
              'the server is reading too many bodies: try again in a moment',
            );
          }
          used += bytes;
          own += bytes;
        },
        release() {
          used -= own;
          own = 0;
        },
      };
    },
  };
}
