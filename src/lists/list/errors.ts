import { isErrorOf, markError } from '../../runtime/shared-identity.js';

/** Reason why a list query is invalid. */
export type ListQueryErrorCode =
  'invalid-per-page' | 'invalid-parameter' | 'no-order' | 'duplicate-key' | 'empty-key' | 'too-many-rows';

/** The invalid option of the query. */
export type ListParameter = 'perPage' | 'nextToken' | 'sorted' | 'order' | 'maxSorted';

/** The JSON form of a {@link ListQueryError}. */
export interface ListQueryErrorJSON {
  readonly name: string;
  readonly code: ListQueryErrorCode;
  readonly parameter: ListParameter;
  readonly message: string;
}

/** The base class of errors about a request to a list: {@link ListQueryError}, and `QueryError` of `tamis/query`. */
export abstract class ListError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, ListError, value, 'ListError');
  }

  /** Reason why the request is rejected. */
  abstract readonly code: string;
  /** The invalid parameter; empty if the error is not about a parameter. */
  abstract readonly parameter: string;

  constructor(message: string) {
    super(message);
    markError(this, 'ListError');
  }
}

/** An invalid query. The message says what is wrong, where, and what to write instead. */
export class ListQueryError extends ListError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, ListQueryError, value, 'ListError', ['ListQueryError']);
  }

  override readonly name = 'ListQueryError';
  readonly code: ListQueryErrorCode;
  readonly parameter: ListParameter;

  constructor(code: ListQueryErrorCode, parameter: ListParameter, message: string) {
    super(message);
    this.code = code;
    this.parameter = parameter;
  }

  toJSON(): ListQueryErrorJSON {
    return { name: this.name, code: this.code, parameter: this.parameter, message: this.message };
  }
}
