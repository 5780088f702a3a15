/** The parameters of every list, with their descriptions. */
export const parameterDescriptions = {
  filter: 'An expression that rows must satisfy.',
  fields: 'Fields of the entries, separated by commas. Default: all.',
  sort: 'Fields to sort by, separated by commas; - before a field sorts it in descending order.',
  reverse: "Whether to reverse the list's own order.",
  prefix: 'Only rows whose key begins with this string, in the order of keys.',
  per_page: 'Maximum number of rows of the page; 0 or omitted: all rows, up to the limit of the server.',
  next_token: 'The X-Next-Token of the previous page.',
  prev_token: 'The X-Previous-Token of the next page, instead of `next_token`.',
  total: 'Whether the page has the number of all matching rows, as X-Total-Count.',
  facets:
    'Fields, separated by commas, whose values are counted over all matching rows instead of returning the page.',
  count: 'Whether to return the number of matching rows instead of the page.',
  explain: 'Whether to return how the rows are found and, if none match, why, instead of the page.',
  index: 'Waits until the index of the list is greater than this one, or `wait` has passed.',
  wait: 'Maximum time to wait, such as 30s or 5m: at most ten minutes; default five minutes.',
  watch:
    'With `result`, waits until the result of the query differs from the one at `index`, regardless of other writes.',
  positions:
    'Whether changes have positions: of rows that left or changed in the page before, and of rows that entered or changed in the page now.',
  changes: 'Whether a watch returns the changes to the result instead of the page, if they are known.',
  history:
    'The X-History of the response that `index` belongs to; if it has changed, the response is immediate.',
} as const;

export type ParameterName = keyof typeof parameterDescriptions;

/** The response headers, with their descriptions. */
export const headerDescriptions = {
  'X-Index': 'Increases with each write that changes a row.',
  'X-History': 'Changes when the same index may refer to other rows.',
  'X-Next-Token': 'Start of the next page; omitted on the last page.',
  'X-Previous-Token': 'End of the previous page; omitted on the first page.',
  'X-Total-Count':
    'The number of all matching rows; with `+` after it, a lower bound, because counting all takes too long.',
} as const;

export type HeaderName = keyof typeof headerDescriptions;

/** Parameters that affect when a response is sent, not its content. */
export const aboutWaiting: readonly ParameterName[] = [
  ...(['index', 'wait', 'watch', 'changes', 'positions', 'history'] as const),
];

/** Maximum and default wait of a request, in ms. */
export const maxWaitMs = 600_000;
export const defaultWaitMs = 300_000;

/** A parameter of an endpoint, for documentation. */
export interface EndpointParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its name if `rename` is not used; null for a parameter that only this endpoint has. */
  readonly standardName: ParameterName | null;
}
