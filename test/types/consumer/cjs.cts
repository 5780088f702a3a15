// Compiled, never run: the same from CommonJS.
import tamis = require('tamis');
import builder = require('tamis/builder');
import editor = require('tamis/editor');

const filter: tamis.Filter<{ ID: string }> = tamis.compileFilter('ID == web');
const page: tamis.Page<{ ID: string }> = tamis.list([{ ID: 'web' }], { filter });
const { parse, print } = tamis;
const text: string = print(parse('a == 1').ast);
const span: tamis.Span | undefined =
  new Error() instanceof tamis.FilterSyntaxError ? { start: 0, end: 1 } : undefined;

const schema = tamis.defineSchema({ ID: tamis.t.string, Note: tamis.t.nullable(tamis.t.string) });
const problems: readonly editor.Problem[] = editor.diagnostics('ID == web', { schema });
type Row = tamis.RowOf<typeof schema>;
const row: Row = { ID: 'web', Note: null };
const made: builder.Condition = builder.filter`ID == ${row.ID}`.and(
  builder.createWhere(schema)('Note').isNil(),
);
const cached: Row[] = tamis.compileFilter(made, { schema }).select([row]);

// @ts-expect-error a field of the schema holds text
tamis.compileFilter(made, { schema }).test({ ID: 5 });
// @ts-expect-error there is no default export
tamis.default;
// @ts-expect-error a filter is text
tamis.compileFilter(1);

export = { cached, page, problems, span, text };
