/** Why a question has no answer. */
export type QueryErrorCode =
  | 'bad-sort'
  | 'bad-facets'
  | 'bad-token'
  | 'bad-page'
  | 'bad-watch'
  | 'bad-parameter'
  | 'mixed-filters'
  | 'too-many-rows'
  | 'too-busy'
  | 'stopped';

/** A question that is refused, or that nobody has room for now. What is wrong with a filter is a FilterError. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;
  /** The parameter of the question that it is about; empty where it is about none. */
  readonly parameter: string;

  /** Of a page with which the question can go on; null where there is none. */
  readonly nextToken: string | null;

  constructor(code: QueryErrorCode, parameter: string, message: string, nextToken: string | null = null) {
    super(message);
    this.code = code;
    this.parameter = parameter;
    this.nextToken = nextToken;
  }
}
