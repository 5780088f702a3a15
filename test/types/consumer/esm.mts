// Compiled, never run: what an ESM project in strict TypeScript may write, and what it may not.
import {
  check,
  compileFilter,
  defineSchema,
  FilterCheckError,
  FilterError,
  isRowOf,
  list,
  ListQueryError,
  parse,
  parseSchema,
  print,
  t,
  walk,
  type Expression,
  type Filter,
  type FilterOptions,
  type InputRowOf,
  type Page,
  type RowOf,
  type Schema,
} from 'tamis';
import { anyOf, createWhere, field, filter as template, where, type Condition } from 'tamis/builder';
import { complete, type Completions } from 'tamis/editor';
import { fromJSONSchema } from 'tamis/json-schema';
import { createFilterSet, type FilterSet, type FilterSetChange } from 'tamis/filter-set';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function matches<_T extends true>(): void {}

interface Job {
  readonly ID: string;
  readonly CreateIndex: bigint;
  readonly Meta: Readonly<Record<string, string>> | null;
}
declare const jobs: readonly Job[];

const schema = defineSchema({
  ID: t.string,
  Meta: t.nullable(t.map(t.string)),
  Secret: t.hidden(t.string),
  Groups: t.list(t.struct({ Count: t.int })),
  Kind: t.renamed('Type', t.string),
});
schema satisfies Schema;
const completions: Completions = complete('I', 1, {
  schema,
  values: (path) => (path[0] === 'ID' ? ['web'] : []),
});
matches<Same<ReturnType<typeof parseSchema>, Schema>>();
matches<Same<Parameters<typeof parseSchema>[0], unknown>>();

const set = createFilterSet(schema, { maxFilters: 10 });
set satisfies FilterSet<InputRowOf<typeof schema>>;
set.add('ann', 'ID == web');
const change: FilterSetChange = set.matchChange({ ID: 'web' }, undefined, { now: new Date() });
const matched: readonly string[] = [...set.matchInParts({ ID: 'web' }, 100)].flatMap(({ ids }) => ids);
// @ts-expect-error the schema declares a text
set.match({ ID: 5 });
// @ts-expect-error a set checks every filter
createFilterSet(schema, { check: false });

const filter = compileFilter<Job>('ID == web', { schema, unresolved: 'absent', limits: { maxLength: 100 } });
matches<Same<typeof filter, Filter<Job>>>();
matches<Same<ReturnType<typeof filter.test>, boolean>>();
const selected = filter.select(new Set(jobs));
matches<Same<typeof selected, Job[]>>();
const bound: Job[] = jobs.filter(filter.test);
const untyped: boolean = compileFilter('ID == web').test(JSON.parse('{}'));

const page = list(jobs, {
  filter,
  order: { index: (job) => job.CreateIndex, text: (job) => job.ID },
  perPage: 10,
});
matches<Same<typeof page, Page<Job>>>();
matches<Same<typeof page.nextToken, string | null>>();
list(jobs, { filter: { test: (job) => job.ID !== '' }, nextToken: page.nextToken ?? '' });

const parsed = parse('not (a == 1)', { dialect: 'go-bexpr' });
const text: string = print(parsed.ast);
for (const diagnostic of check(parsed, { schema })) matches<Same<typeof diagnostic.message, string>>();
walk(parsed.ast, {});

/** The union is closed: a switch over `kind` is exhaustive. */
function words(expression: Expression): number {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.operands.map(words).reduce((sum, each) => sum + each, 0);
    case 'not':
      return words(expression.operand);
    case 'match':
      return 1;
    case 'any':
    case 'all':
      return words(expression.body);
    default: {
      const impossible: never = expression;
      return impossible;
    }
  }
}

try {
  words(parsed.ast);
} catch (error) {
  if (error instanceof FilterCheckError) error.diagnostics.map((each) => each.span.start satisfies number);
  if (error instanceof FilterError) error.span.end satisfies number;
  if (error instanceof ListQueryError) error.code satisfies string;
}

// The rows of a schema, inferred.
type Row = RowOf<typeof schema>;
interface ExpectedRow {
  readonly ID: string;
  readonly Meta: Readonly<Record<string, string>> | null;
  readonly Secret: string;
  readonly Groups: readonly { readonly Count: number | bigint }[];
  readonly Kind: string;
}
matches<Same<Row, { [Key in keyof ExpectedRow]: ExpectedRow[Key] }>>();
matches<Same<RowOf<ReturnType<typeof fromJSONSchema<unknown>>>, unknown>>();
const inferred = compileFilter('ID == web', { schema });
matches<Same<typeof inferred, Filter<InputRowOf<typeof schema>>>>();
inferred.test({ ID: 'web', Groups: null });
declare const values: readonly unknown[];
const rows = values.filter(isRowOf(schema)).filter(inferred.test);
matches<Same<typeof rows, Row[]>>();

// Filters made by the program. Their types can be written into declarations.
export const made: Condition = template`ID == ${'x'} and ${field('Meta', 'cpu.arch')} != ${5n}`;
export const on = createWhere(schema);
export const group = t.struct({ Count: t.nullable(t.int) });
export const requests = on('Groups').any((each) => each.at('Count').is(3));
export const count = on('Groups', 0, 'Count');
export const compiled = compileFilter(anyOf([made, requests, where('ID').matches('^w')]), { schema });

const options: FilterOptions = { check: false };
export { bound, change, completions, matched, options, text, untyped };

// @ts-expect-error there are two dialects
compileFilter('ID == web', { dialect: 'sql' });
// @ts-expect-error a filter is text
compileFilter(/web/);
// @ts-expect-error an unknown option
compileFilter('ID == web', { strict: true });
// @ts-expect-error a filter of jobs does not test numbers
filter.test(1);
// @ts-expect-error the tree is read-only
parsed.ast.kind = 'not';
// @ts-expect-error a type, not its name
defineSchema({ ID: 'string' });
// @ts-expect-error the order's text is needed
list(jobs, { order: { index: (job) => job.CreateIndex } });
// @ts-expect-error a page is counted in numbers
list(jobs, { perPage: '10' });
// @ts-expect-error a field of the schema holds text
inferred.test({ ID: 5 });
// @ts-expect-error the condition of a filter proves no type
values.filter(inferred.test);
// @ts-expect-error there is no such field
on('Nope');
// @ts-expect-error hidden from filters
on('Secret');
// @ts-expect-error an integer is compared with numbers
on('Groups', 0, 'Count').is('3');
// @ts-expect-error a map is no value
void template`ID == ${new Map()}`;
