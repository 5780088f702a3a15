/** The parameters of every list, with their descriptions. */
export const parameterDescriptions = {
  filter: 'An expression that rows must satisfy.',
  sort: 'Fields to sort by, between commas, descending with - before them; what is equal in the first stands in the order of the next.',
  reverse: "The reverse of the list's own order.",
  prefix: 'Only rows whose key begins so, in the order of keys.',
  per_page: 'Most rows of the page; all where it is 0 or left out, up to what the server allows.',
  next_token: 'Where the page begins: the X-Next-Token of the page before.',
  facets: 'Fields between commas whose values are counted, over all rows that match, in place of the page.',
  count: 'Whether to answer with the number of rows that match in place of the page.',
  explain: 'Whether to answer with how the rows are found in place of the page and, where none match, why.',
  index: 'Waits until the index of the list is greater than this one, or `wait` is over.',
  wait: 'The longest time to wait, such as 30s or 5m: at most ten minutes, and five where it is left out.',
  watch:
    'With `result`, waits until the result of the question is another one than at `index`, whatever else is written.',
  changes:
    'Whether to answer a watch with what has come to the result in place of the page, where that is known.',
  history:
    'The X-History of the answer that `index` is of: where it is another one now, the answer comes at once.',
} as const;

export type ParameterName = keyof typeof parameterDescriptions;

/** The response headers, with their descriptions. */
export const headerDescriptions = {
  'X-Index': 'Counts the writes to the list: greater with each that changes a row.',
  'X-History': 'Another text where the same index may mean other rows.',
  'X-Next-Token': 'Where the next page begins; left out on the last.',
} as const;

export type HeaderName = keyof typeof headerDescriptions;

/** Parameters that decide when a response is sent, not what it contains. */
export const aboutWaiting: readonly ParameterName[] = ['index', 'wait', 'watch', 'changes', 'history'];

/** Maximum wait of a request, and its default, in milliseconds. */
export const maxWaitMs = 600_000;
export const defaultWaitMs = 300_000;

/** A parameter of an endpoint, for documentation. */
export interface EndpointParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}
