// Compiled, never run (see types.test.ts): what the makers of filters accept.
import { compileFilter, defineSchema, parse, parseSchema, t, type ParsedFilter } from '../../src/index.js';
import {
  allOf,
  anyOf,
  createWhere,
  field,
  filter,
  not,
  ago,
  ignoringCase,
  now,
  where,
  type AnyField,
  type Condition,
} from '../../src/entries/builder.js';
import { expectTypeOf } from 'vitest';

const jobs = defineSchema({
  ID: t.string,
  Since: t.time,
  Priority: t.int,
  Load: t.float64,
  Stop: t.bool,
  Config: t.any,
  Datacenters: t.list(t.string),
  Meta: t.map(t.string),
  Triple: t.array(t.float64, 3),
  Groups: t.list(t.struct({ Name: t.string, Tasks: t.list(t.struct({ Driver: t.string })) })),
  Summary: t.map(t.struct({ Running: t.int })),
  Periodic: t.nullable(t.struct({ Enabled: t.bool })),
  Note: t.nullable(t.string),
  Tags: t.nullable(t.list(t.string)),
  Secret: t.hidden(t.string),
  kind: t.renamed('Type', t.string),
  Created: t.time('ns'),
  Wait: t.duration,
  Size: t.bytes('MiB'),
  Addr: t.ip,
  Build: t.version,
  Waits: t.list(t.duration('s')),
  Peers: t.list(t.ip),
});
const job = createWhere(jobs);

// Templates.
const made = filter`ID == ${'x'} and ${field('Meta', 'cpu.arch')} != ${5n} and ${parse('a == 1')} or ${where('Stop').is(true)}`;
expectTypeOf(made).toEqualTypeOf<Condition>();
void filter`${compileFilter('a == 1')} and ${made.ast} and ${field('L', 0)} is empty`;
const text: string = `${made}`;
const asParsed: ParsedFilter = made;
compileFilter(made, { schema: jobs });
// @ts-expect-error nothing is no value
void filter`ID == ${undefined}`;
// @ts-expect-error use "is nil"
void filter`ID == ${null}`;
void filter`ID in ${['a', 5, ignoringCase('b')]} and Since > ${new Date()} and Since < ${now} or A == @${field('B')}`;
// @ts-expect-error a list of lists
void filter`ID in ${[['a']]}`;
// @ts-expect-error patterns are RE2
void filter`ID matches ${/x/}`;
// @ts-expect-error a field is given by name
field();
// @ts-expect-error a path has names and indexes
field('Meta', true);

// Without a schema every field has all methods.
expectTypeOf<ReturnType<typeof where>>().toEqualTypeOf<AnyField>();
where('A', 0, 'b', 'c', 'd', 'e').is(5).and(where('B').isNil(), made).or(parse('x == 1')).not();
where('L').any((x, i) => x.at('k').is(1).and(i.is(0)));
allOf([made, where('A').is(1)]);
anyOf(new Set([where('A').is('x')]));
not(made);
// @ts-expect-error there is no such operator
where('A').equals(1);
// @ts-expect-error a callback makes a condition
where('L').any((x) => x.at('k'));
// @ts-expect-error text is no condition
where('A').is(1).and('B == 1');
// @ts-expect-error a pattern is text
where('A').matches(/x/);
// @ts-expect-error a list of conditions
anyOf(made, made);
// @ts-expect-error another one is needed
made.and();

// With one, those of its kind.
job('ID').is('x').and(job('ID').contains('x'), job('ID').matches('x'), job('ID').isEmpty());
job('Since').isNot('2024-01-01T00:00:00Z');
job('Priority').is(5).or(job('Priority').is(5n), job('Load').is(0.5), job('Stop').is(true));
job('Config')
  .is('x')
  .or(job('Config', 'a', 0).any((x) => x.isNil()));
job('Datacenters').contains('dc1').and(job('Datacenters').isNil(), job('Datacenters', 0).is('x'));
job('Meta').contains('team').and(job('Meta', 'cpu.arch').is('arm64'), job('Meta').isEmpty());
job('Groups', 0, 'Name').is('web');
job('Groups').at(0).at('Tasks', 1).at('Driver').is('docker');
job('Groups').any((group, index) => group.at('Name').is('web').and(index.isNot(0)));
job('Groups').any((group) => group.at('Tasks').all((task) => task.at('Driver').is('docker')));
job('Summary').all((summary, name) => summary.at('Running').is(0).or(name.is('web')));
job('Periodic', 'Enabled').is(true).or(job('Periodic').isNil(), job('Note').isNil(), job('Note').is('x'));
job('Tags').contains('a').or(job('Tags').isNil());
job('Triple').contains(0.5).and(job('Triple').isNotEmpty());
job('Type').is('service');
expectTypeOf<ReturnType<ReturnType<typeof job<'ID'>>['is']>>().toEqualTypeOf<Condition>();
void filter`${job('Meta', 'a')} == ${1}`;

// Orderings, lists, case, lengths, other fields and the clock, each by kind.
job('Priority')
  .atLeast(50)
  .and(job('Priority').oneOf([1, 2n]), job('Priority').below(field('Load')), job('Load').above(0.5));
job('ID')
  .startsWith('a')
  .and(job('ID').like(ignoringCase('a*')), job('ID').oneOf(['a', ignoringCase('b')]));
job('ID')
  .is(ignoringCase('a'))
  .or(job('ID').is(job('Type')), job('ID').length.below(5), job('ID').below('b'));
job('Since')
  .above(ago('7d'))
  .and(job('Since').oneOf([now, new Date(), '2026-11-01']), job('Since').startsWith('2026'));
job('Created')
  .below(new Date())
  .and(job('Created').is(5n), job('Created').atLeast('2026-11-01'), job('Created').above(now));
job('Wait')
  .above('1h30m')
  .and(job('Size').is('1GiB'), job('Size').atMost(512), job('Addr').oneOf(['10.0.0.0/8']));
job('Build')
  .atLeast('1.2.3')
  .and(job('Datacenters').length.oneOf([1, 2]), job('Meta').length.is(0));
job('Groups').any((group) => group.at('Tasks').length.above(1));
job('Waits').contains('1h30m').or(job('Waits').contains(90), job('Peers').contains('10.0.0.1'));
// @ts-expect-error an address is written as text
job('Peers').contains(5);
where('A').below(now).or(where('A').length.is(1));
// @ts-expect-error switches have no order
job('Stop').below(true);
// @ts-expect-error numbers have no length
job('Priority').length.is(1);
// @ts-expect-error no text is a number
job('Priority').above('5');
// @ts-expect-error a number is no time
job('Priority').above(now);
// @ts-expect-error texts that differ by case have an order
job('ID').above(ignoringCase('a'));
// @ts-expect-error a text of RFC 3339 is no number
job('Since').above(5);
// @ts-expect-error an integer begins with nothing
job('Created').startsWith('2');
// @ts-expect-error a Date is one instant, the text of a time one of many
job('Since').is(new Date());
// @ts-expect-error a size is no time
job('Size').above(new Date());
// @ts-expect-error a list has no order
job('Datacenters').above('a');
// @ts-expect-error a list of one kind
job('Priority').oneOf(['a']);
// @ts-expect-error patterns come from the program
job('ID').matches(field('Note'));
// @ts-expect-error lengths are numbers
job('ID').length.above('5');

// @ts-expect-error the name is misspelt
job('Idd');
// @ts-expect-error hidden from filters
job('Secret');
// @ts-expect-error filters know the new name
job('kind');
// @ts-expect-error no such field further in
job('Groups', 0, 'Nmae');
// @ts-expect-error a list has indexes
job('Groups', 'Name');
// @ts-expect-error text has no parts
job('ID', 'x');
// @ts-expect-error text has no parts
job('ID').at('x');
// @ts-expect-error text is compared with text
job('ID').is(5);
// @ts-expect-error numbers with numbers
job('Priority').is('5');
// @ts-expect-error switches with true and false
job('Stop').is('true');
// @ts-expect-error a number contains nothing
job('Priority').contains(5);
// @ts-expect-error a number matches no pattern
job('Priority').matches('5');
// @ts-expect-error a number is never empty
job('Priority').isEmpty();
// @ts-expect-error text that is not nullable is never nil
job('ID').isNil();
// @ts-expect-error a list is compared element by element
job('Datacenters').is('dc1');
// @ts-expect-error its elements are text
job('Datacenters').contains(1);
// @ts-expect-error a struct equals nothing
job('Periodic').is(true);
// @ts-expect-error elements that are structs cannot be looked for
job('Groups').contains('web');
// @ts-expect-error a struct is not walked
job('Periodic').any((x) => x);
// @ts-expect-error nor is a list that may be null
job('Tags').any((x) => x.is('a'));
// @ts-expect-error an array is never nil
job('Triple').isNil();
// @ts-expect-error the element's kind counts too
job('Groups').any((group) => group.at('Name').is(5));
// @ts-expect-error so does the key's
job('Groups').any((group, index) => index.is('web'));
// @ts-expect-error a schema, not its fields
createWhere({ ID: t.string });

// Of a schema that is read at run time the names are not known.
const late = createWhere(parseSchema({}));
late('Anything').is(5);
late('Meta', 'a', 0).isNil();

export { asParsed, text };
