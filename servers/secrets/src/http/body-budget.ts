import { SecretsError } from '../base/errors.js';

/** What is known of the body of a request before any of it is read. */
export interface BodyRule {
  /** Bytes that the route takes. */
  readonly maxLength: number;
  /** Whether the route takes bodies without a token. */
  readonly isOpen: boolean;
}

/** The part of a budget that one request uses. */
export interface BodyCharge {
  /** @throws SecretsError `too-many-requests` when the budget is used up */
  take(bytes: number): void;
  release(): void;
}

/** Bounds the bytes of all bodies that a server holds at once, over all connections. */
export interface BodyBudget {
  charge(): BodyCharge;
}

/** The budgets of a server: anonymous bodies must not take the room of those that come with a token. */
export interface BodyBudgets {
  readonly open: BodyBudget;
  readonly withToken: BodyBudget;
}

/** Maximum bytes of logins and of other bodies without a token: 64 of the largest, about 1,500 of the usual ones. */
const maxOpen = 4_194_304;
/** Maximum bytes of bodies with a token: 18 of the largest policies, 128 of the largest other ones. */
const maxWithToken = 8_388_608;

export function createBodyBudgets(): BodyBudgets {
  return { open: createBodyBudget(maxOpen), withToken: createBodyBudget(maxWithToken) };
}

export function createBodyBudget(maximum: number): BodyBudget {
  let used = 0;
  return {
    charge() {
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
