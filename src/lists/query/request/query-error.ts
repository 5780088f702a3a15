import { isErrorOf } from '../../../runtime/shared-identity.js';
import { ListError } from '../../list/errors.js';

/** Why a query is rejected. */
export type QueryErrorCode =
  | 'invalid-sort'
  | 'invalid-facets'
  | 'invalid-token'
  | 'invalid-page'
  | 'invalid-watch'
  | 'invalid-parameter'
  | 'mixed-filters'
  | 'too-many-rows'
  | 'too-busy'
  | 'unavailable'
  | 'invalid-mapping'
  | 'stopped';

/** Error of an invalid query, or of one that exceeds the current capacity. Mistakes in a filter are a FilterError instead. */
export class QueryError extends ListError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, QueryError, value, 'ListError', ['QueryError', 'SqlBudgetError']);
  }

  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;
  /** The invalid parameter; empty if the error is not about a parameter. */
  readonly parameter: string;

  /** Token of a page with which the query can continue; null if none exists. */
  readonly nextToken: string | null;

  constructor(code: QueryErrorCode, parameter: string, message: string, nextToken: string | null = null) {
    super(message);
    this.code = code;
    this.parameter = parameter;
    this.nextToken = nextToken;
  }
}
