/** Why a list query is invalid. */
export type ListQueryErrorCode =
  'invalid-per-page' | 'no-order' | 'duplicate-key' | 'empty-key' | 'too-many-rows';

/** The part of the query that is at fault. */
export type ListParameter = 'perPage' | 'nextToken' | 'sorted' | 'order' | 'maxSorted';

/** The plain form of a {@link ListQueryError}, for logs and machines. */
export interface ListQueryErrorJSON {
  readonly name: string;
  readonly code: ListQueryErrorCode;
  readonly parameter: ListParameter;
  readonly message: string;
}

/** An invalid query. The message says what is wrong, where, and what to write instead. */
export class ListQueryError extends Error {
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
