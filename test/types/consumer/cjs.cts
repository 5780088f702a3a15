// Compiled, never run: the same from CommonJS.
import tamis = require('tamis');

const filter: tamis.Filter<{ ID: string }> = tamis.compileFilter('ID == web');
const page: tamis.Page<{ ID: string }> = tamis.list([{ ID: 'web' }], { filter });
const { parse, print } = tamis;
const text: string = print(parse('a == 1').ast);
const span: tamis.Span | undefined =
  new Error() instanceof tamis.FilterSyntaxError ? { start: 0, end: 1 } : undefined;

// @ts-expect-error there is no default export
tamis.default;
// @ts-expect-error a filter is text
tamis.compileFilter(1);

export = { page, span, text };
