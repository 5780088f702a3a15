// Compiled, never run (see types.test.ts): what a schema lets the compiler know.
import {
  check,
  compileFilter,
  defineSchema,
  isRowOf,
  list,
  parse,
  parseSchema,
  t,
  type Filter,
  type FilterOptions,
  type InputRowOf,
  type RowOf,
  type Schema,
} from '../../src/index.js';
import { fromJSONSchema } from '../../src/entries/json-schema.js';
import { listEndpoint } from '../../src/entries/http.js';
import { arraySource, createList, type ArraySource } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { fromZod } from '../../src/entries/zod.js';
import * as z from 'zod';
import { expectTypeOf } from 'vitest';

const jobs = defineSchema({
  ID: t.string,
  Priority: t.int,
  Index: t.uint,
  Ratio: t.float32,
  Load: t.float64,
  Stop: t.bool,
  Since: t.time,
  Config: t.any,
  Datacenters: t.list(t.string),
  Meta: t.map(t.string),
  Ports: t.map(t.list(t.int)),
  Triple: t.array(t.float64, 3),
  Groups: t.list(t.nullable(t.struct({ Name: t.string, Tasks: t.list(t.struct({ Driver: t.string })) }))),
  Periodic: t.nullable(t.struct({ Enabled: t.bool, Spec: t.nullable(t.string) })),
  Note: t.nullable(t.string),
  Tags: t.nullable(t.list(t.nullable(t.int))),
  Extra: t.nullable(t.any),
  Secret: t.hidden(t.string),
  SecretMap: t.hidden(t.nullable(t.map(t.bool))),
  kind: t.renamed('Type', t.nullable(t.string)),
});
type Job = RowOf<typeof jobs>;

const phases = defineSchema({ Phase: t.oneOf('draft', 'sent'), Phases: t.list(t.oneOf('draft', 'sent')) });
// Known strings are offered, others are accepted: rows may hold unforeseen values.
expectTypeOf<RowOf<typeof phases>['Phase']>().toEqualTypeOf<
  'draft' | 'sent' | (string & Record<never, never>)
>();
expectTypeOf<'draft'>().toExtend<RowOf<typeof phases>['Phase']>();
expectTypeOf<string>().toExtend<InputRowOf<typeof phases>['Phase']>();
expectTypeOf<number>().not.toExtend<RowOf<typeof phases>['Phase']>();
expectTypeOf<RowOf<typeof phases>['Phases']>().toExtend<readonly string[]>();
compileFilter('Phase == sent', { schema: phases }).test({ Phase: 'lost' });

const kinds = defineSchema({
  Since: t.nullable(t.time),
  Created: t.time('ns'),
  Took: t.duration,
  Timeout: t.duration('ms'),
  Memory: t.nullable(t.bytes('MiB')),
  Peers: t.list(t.ip),
  Bind: t.map(t.ip({ port: true })),
  Version: t.version,
});
expectTypeOf<RowOf<typeof kinds>>().toEqualTypeOf<{
  readonly Since: string | null;
  readonly Created: number | bigint;
  readonly Took: string;
  readonly Timeout: number | bigint;
  readonly Memory: number | bigint | null;
  readonly Peers: readonly string[];
  readonly Bind: Readonly<Record<string, string>>;
  readonly Version: string;
}>();
const noted = t.annotated(t.nullable(t.int), { unit: 'percent' });
expectTypeOf(noted.annotations.unit).toEqualTypeOf<'percent'>();
const load = defineSchema({ Load: noted, Loads: t.list(noted), Since: t.annotated(t.time, {}) });
expectTypeOf<RowOf<typeof load>>().toEqualTypeOf<{
  readonly Load: number | bigint | null;
  readonly Loads: readonly (number | bigint | null)[];
  readonly Since: string;
}>();
compileFilter('Load == 5', { schema: load }).test({ Load: 5 });
expectTypeOf<InputRowOf<typeof kinds>['Since']>().toEqualTypeOf<string | Date | null | undefined>();
expectTypeOf<InputRowOf<typeof kinds>['Created']>().toEqualTypeOf<number | bigint | null | undefined>();
compileFilter('Memory > 512MiB', { schema: kinds }).test({ Since: new Date(), Memory: 5n });
// @ts-expect-error no unit of time
t.time('MiB');
// @ts-expect-error a size has a unit
t.list(t.bytes);

// Safe integers are numbers.
const users = defineSchema({
  Age: t.int({ safe: true }),
  Size: t.nullable(t.uint({ safe: true })),
  Any: t.int({ safe: false }),
});
expectTypeOf<RowOf<typeof users>>().toEqualTypeOf<{
  readonly Age: number;
  readonly Size: number | null;
  readonly Any: number | bigint;
}>();

// Literal JSON Schemas and Zod schemas have typed rows.
const fromLiteral = fromJSONSchema({
  type: 'object',
  properties: {
    id: { type: 'string' },
    age: { type: ['integer', 'null'] },
    state: { enum: ['on', 'off'] },
    at: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
    meta: { type: 'object', additionalProperties: { type: 'number' } },
    limits: { type: 'object', properties: { cpu: { type: 'number' } }, required: ['cpu'] },
    other: { $ref: '#/$defs/other' },
  },
  required: ['id', 'age', 'state', 'at', 'tags', 'meta', 'limits', 'other'],
});
type Literal = RowOf<typeof fromLiteral>;
expectTypeOf<Literal>().toEqualTypeOf<{
  readonly id: string;
  readonly age: number | bigint | null;
  readonly state: 'on' | 'off' | (string & Record<never, never>);
  readonly at: string;
  readonly tags: readonly string[];
  readonly meta: Readonly<Record<string, number>>;
  readonly limits: { readonly cpu: number };
  readonly other: unknown;
}>();
const withOptional = fromJSONSchema({ type: 'object', properties: { note: { type: 'string' } } });
expectTypeOf<RowOf<typeof withOptional>>().toEqualTypeOf<{ readonly note: string | null }>();
declare const unknownSchema: unknown;
expectTypeOf(fromJSONSchema(unknownSchema)).toEqualTypeOf<Schema>();

const zodUsers = fromZod(
  z.object({
    id: z.string(),
    age: z.int(),
    createdAt: z.date(),
    email: z.string().optional(),
    role: z.enum(['admin', 'user']),
    tags: z.set(z.string()),
    address: z.object({ city: z.string().nullable() }),
    labels: z.record(z.string(), z.string()),
    big: z.bigint(),
    mixed: z.union([z.string(), z.number()]),
  }),
);
expectTypeOf<RowOf<typeof zodUsers>>().toEqualTypeOf<{
  readonly id: string;
  readonly age: number;
  readonly createdAt: string;
  readonly email: string | null;
  readonly role: 'admin' | 'user' | (string & Record<never, never>);
  readonly tags: readonly string[];
  readonly address: { readonly city: string | null };
  readonly labels: Readonly<Record<string, string>>;
  readonly big: number | bigint;
  readonly mixed: unknown;
}>();
expectTypeOf<Date>().toExtend<InputRowOf<typeof zodUsers>['createdAt']>();
const zodNode = z.object({
  name: z.string(),
  get children() {
    return z.array(zodNode);
  },
});
const nodes = fromZod(zodNode);
declare const node: RowOf<typeof nodes>;
expectTypeOf(node.children[0]?.children[0]?.name).toEqualTypeOf<string | undefined>();

// Rows of an interface of the program fit sources and tables.
interface User {
  id: string;
  age: number;
  createdAt: Date;
  email?: string;
  tags: string[];
}
const userSchema = defineSchema({
  id: t.string,
  age: t.int({ safe: true }),
  createdAt: t.time,
  email: t.nullable(t.string),
  tags: t.list(t.string),
});
declare const everyUser: User[];
const source = arraySource(userSchema, () => everyUser, { key: 'id', sorts: ['createdAt', 'age'] });
expectTypeOf(source).toEqualTypeOf<ArraySource<User>>();
const userList = createList(source);
void userList.page({ visible: (user) => user.createdAt.getFullYear() > 2000 && user.email !== 'x' });
listEndpoint(source, {
  visible: () => (user) => user.age > 3,
  serialize: (user) => user.createdAt.getTime(),
});
arraySource(userSchema, async () => everyUser, { key: (user) => user.id });
// @ts-expect-error age is a number
arraySource(userSchema, () => [{ id: 'a', age: 'x' }], { key: 'id' });
const userTable = createTable(userSchema, { key: 'id' });
userTable.put({ id: 'a', age: 1, createdAt: new Date(), tags: new Set(['x']) });
declare const aUser: User;
userTable.put(aUser);
userTable.putAll(everyUser);
expectTypeOf(userTable.get('a')).toExtend<RowOf<typeof userSchema> | null>();
expectTypeOf(userTable.get('a')?.age).toEqualTypeOf<number | undefined>();
// @ts-expect-error a field is missing
userTable.put({ id: 'a', createdAt: '', tags: [] });
const sharedTable = createTable(userSchema, { key: 'id', rows: 'share' });
sharedTable.put({ id: 'a', age: 1, createdAt: '', email: null, tags: [] });
// @ts-expect-error shared rows are stored as they are
sharedTable.put(aUser);

// @ts-expect-error not a schema of Zod
fromZod({ type: 'object' });

interface Expected {
  readonly ID: string;
  readonly Priority: number | bigint;
  readonly Index: number | bigint;
  readonly Ratio: number;
  readonly Load: number;
  readonly Stop: boolean;
  readonly Since: string;
  readonly Config: unknown;
  readonly Datacenters: readonly string[];
  readonly Meta: Readonly<Record<string, string>>;
  readonly Ports: Readonly<Record<string, readonly (number | bigint)[]>>;
  readonly Triple: readonly number[];
  readonly Groups: readonly ({
    readonly Name: string;
    readonly Tasks: readonly { readonly Driver: string }[];
  } | null)[];
  readonly Periodic: { readonly Enabled: boolean; readonly Spec: string | null } | null;
  readonly Note: string | null;
  readonly Tags: readonly (number | bigint | null)[] | null;
  readonly Extra: unknown;
  readonly Secret: string;
  readonly SecretMap: Readonly<Record<string, boolean>> | null;
  readonly kind: string | null;
}
expectTypeOf<Job>().toEqualTypeOf<{ [Key in keyof Expected]: Expected[Key] }>();

// Nothing is known of the rows of a schema that is read at run time.
expectTypeOf(isRowOf(parseSchema({}))).guards.toEqualTypeOf<unknown>();
expectTypeOf(compileFilter('a == 1', { schema: fromJSONSchema(JSON.parse('{}')) })).toEqualTypeOf<
  Filter<unknown>
>();
expectTypeOf<RowOf<Schema>>().toEqualTypeOf<unknown>();
expectTypeOf<InputRowOf<Schema>>().toEqualTypeOf<unknown>();

// A schema of known rows is a schema.
const plain: Schema = jobs;
const options: FilterOptions = { schema: jobs };
check(parse('ID == x'), { schema: jobs });
expectTypeOf<ReturnType<typeof jobs.toJSON>>().toEqualTypeOf<ReturnType<typeof plain.toJSON>>();

// A filter takes rows that fit: whole ones, ones with gaps and nulls, ones with more.
declare const row: Job;
const filter = compileFilter('ID == web', { schema: jobs });
expectTypeOf(filter).toEqualTypeOf<Filter<InputRowOf<typeof jobs>>>();
expectTypeOf<ReturnType<typeof filter.test>>().toEqualTypeOf<boolean>();
filter.test(row);
filter.test({});
filter.test({
  ID: null,
  Priority: 5n,
  Load: 5n,
  Meta: { a: null },
  Periodic: {},
  Groups: [null, { Name: 'x' }],
});
filter.test({ ID: 'x', Note: undefined });
interface OwnJob {
  readonly ID: string;
  readonly Priority: number;
  readonly Own: Date;
}
declare const own: readonly OwnJob[];
expectTypeOf<ReturnType<typeof own.filter>>().toEqualTypeOf<OwnJob[]>();
const cachedOwn: OwnJob[] = own.filter(filter.test);
const selectedOwn = filter.select(own);
expectTypeOf(selectedOwn).toEqualTypeOf<OwnJob[]>();
const selectedRows = filter.select(new Set([row]));
expectTypeOf(selectedRows).toEqualTypeOf<Job[]>();
const page = list(own, { filter, perPage: 5, order: { text: ({ ID }) => ID } });
expectTypeOf(page.items).toEqualTypeOf<OwnJob[]>();

// @ts-expect-error a text field does not hold numbers
filter.test({ ID: 5 });
// @ts-expect-error nor one further in
filter.test({ Groups: [{ Tasks: [{ Driver: true }] }] });
filter.test({ Since: new Date() });
// @ts-expect-error a Date is no text
filter.test({ ID: new Date() });
// @ts-expect-error not a row at all
filter.test('web');
// @ts-expect-error nothing in common with a row
filter.test({ Name: 'web' });
// @ts-expect-error rows are objects and never null
filter.test(null);
// @ts-expect-error a row cannot be narrowed by the condition of a filter
const narrowed: Job[] = [{} as unknown].filter(filter.test);

// The type of row can be named, and without a schema it may be anything.
const named = compileFilter<OwnJob>('ID == web', { schema: jobs });
expectTypeOf(named).toEqualTypeOf<Filter<OwnJob>>();
const anything = compileFilter<unknown>('ID == web', { schema: jobs });
expectTypeOf(anything).toEqualTypeOf<Filter<unknown>>();
const untyped = compileFilter('ID == web');
expectTypeOf(untyped).toEqualTypeOf<Filter<unknown>>();
const late = compileFilter('ID == web', { schema: plain });
expectTypeOf(late).toEqualTypeOf<Filter<unknown>>();
const optional = compileFilter('ID == web', options);
expectTypeOf(optional).toEqualTypeOf<Filter<unknown>>();
const parsed = compileFilter(parse('ID == web'), { schema: jobs });
expectTypeOf(parsed).toEqualTypeOf<typeof filter>();

// Values of unknown origin become rows by being looked at.
declare const values: readonly unknown[];
const isJob = isRowOf(jobs);
const jobsOnly = values.filter(isJob).filter(filter.test);
expectTypeOf(jobsOnly).toEqualTypeOf<Job[]>();
for (const value of values) if (isJob(value)) expectTypeOf(value).toEqualTypeOf<Job>();

// @ts-expect-error unknown values are no rows
values.filter(filter.test);
// @ts-expect-error rows are read-only
row.ID = 'x';
// @ts-expect-error so are their lists
row.Datacenters.push('dc1');
// @ts-expect-error a nullable field may be null
row.Periodic.Enabled.valueOf();
// @ts-expect-error an integer may be a bigint
const sum: number = row.Priority + 1;
// @ts-expect-error there is no such field
void row.Nope;
// @ts-expect-error a renamed field keeps its property's name in rows
void row.Type;
// @ts-expect-error a type, not its name
defineSchema({ ID: 'string' });
// @ts-expect-error nor a function that makes one
t.list(t.map);
// @ts-expect-error a hidden field is no type
t.list(t.hidden(t.string));
// @ts-expect-error a field has one new name
t.renamed(5, t.string);
// @ts-expect-error a schema, not the fields that make one
compileFilter('ID == web', { schema: { ID: t.string } });
// @ts-expect-error an unknown option, with a schema too
compileFilter('ID == web', { schema: jobs, strict: true });

export { cachedOwn, narrowed, sum };
