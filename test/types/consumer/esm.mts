// Compiled, never run: what an ESM project in strict TypeScript may write, and what it may not.
import {
  check,
  compileFilter,
  defineSchema,
  FilterCheckError,
  FilterError,
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
  type Page,
  type Schema,
} from 'tamis';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_T extends true>(): void {}

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
holds<Same<ReturnType<typeof parseSchema>, Schema>>();
holds<Same<Parameters<typeof parseSchema>[0], unknown>>();

const filter = compileFilter<Job>('ID == web', { schema, unresolved: 'absent', limits: { maxLength: 100 } });
holds<Same<typeof filter, Filter<Job>>>();
holds<Same<ReturnType<typeof filter.test>, boolean>>();
const selected = filter.select(new Set(jobs));
holds<Same<typeof selected, Job[]>>();
const bound: Job[] = jobs.filter(filter.test);
const untyped: boolean = compileFilter('ID == web').test(JSON.parse('{}'));

const page = list(jobs, {
  filter,
  order: { index: (job) => job.CreateIndex, text: (job) => job.ID },
  perPage: 10,
});
holds<Same<typeof page, Page<Job>>>();
holds<Same<typeof page.nextToken, string | null>>();
list(jobs, { filter: { test: (job) => job.ID !== '' }, nextToken: page.nextToken ?? '' });

const parsed = parse('not (a == 1)', { dialect: 'go-bexpr' });
const text: string = print(parsed.ast);
for (const diagnostic of check(parsed, schema)) holds<Same<typeof diagnostic.message, string>>();
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

const options: FilterOptions = { check: false };
export { bound, options, text, untyped };

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
