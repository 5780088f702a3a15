import fc from 'fast-check';
import type { Drawn } from './drawn-list.js';

/** Values that parameters may have, the wrong ones too. */
const odd = fc.constantFrom(
  '',
  '0',
  '1',
  'true',
  'false',
  'maybe',
  '-1',
  'result',
  '30s',
  '9'.repeat(30),
  'é',
  '%zz',
  'a,b',
  ':',
);

/** Query strings to a list, most of them valid: starting with `?`, or empty. */
export function drawnQueries(drawn: Drawn): fc.Arbitrary<string> {
  const names = fc.constantFrom(drawn.key, ...drawn.indexable, ...drawn.sorts, 'Nothing');
  const facets = fc.uniqueArray(names, { minLength: 1, maxLength: 3 }).map((each) => each.join());
  const page = fc.record(
    {
      filter: drawn.filter.map((filter) => filter ?? ''),
      sort: drawn.sort.map((sort) => sort ?? ''),
      reverse: fc.constant('true'),
      per_page: fc.constantFrom('1', '2', '3', '50'),
      next_token: fc.constantFrom('a', 'b', 'k1', `-${drawn.sorts[0] ?? 'x'}:1.a`),
    },
    { requiredKeys: [] },
  );
  const filtered = page.map(({ filter }) => (filter === undefined ? {} : { filter }));
  const requests = fc.oneof(
    { weight: 4, arbitrary: page },
    { weight: 2, arbitrary: fc.tuple(filtered, facets).map(([rest, each]) => ({ ...rest, facets: each })) },
    { weight: 1, arbitrary: filtered.map((rest) => ({ ...rest, count: '' })) },
    { weight: 2, arbitrary: page.map((rest) => ({ ...rest, explain: 'true' })) },
    { weight: 1, arbitrary: fc.constantFrom('a', 'k').map((prefix) => ({ prefix })) },
  );
  return requests.map((each) => `?${new URLSearchParams(each as Record<string, string>).toString()}`);
}

const parameter = fc.constantFrom(
  ...['filter', 'sort', 'reverse', 'prefix', 'per_page', 'next_token', 'facets', 'count', 'explain'],
  ...['index', 'watch', 'changes', 'history', 'filtr', '__proto__', ''],
);

/** Query strings of all kinds: with unknown parameters, impossible values, and invalid escapes. */
export function anyQueries(drawn: Drawn): fc.Arbitrary<string> {
  const value = fc.oneof(odd, drawn.filter, drawn.sort).map((each) => encodeURIComponent(each ?? ''));
  const pair = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(parameter, value).map((each) => each.join('=')) },
    // What clients may write into a URL as it is.
    { weight: 1, arbitrary: fc.stringMatching(/^[!$&-;=?-Z_a-z~%]{0,12}$/) },
  );
  const junk = fc.array(pair, { maxLength: 4 }).map((pairs) => `?wait=0s&${pairs.join('&')}`);
  return fc.oneof(drawnQueries(drawn), junk);
}
