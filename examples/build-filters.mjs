// Filters made by a program: values can never change what the filter means.
import { compileFilter, defineSchema, t } from 'tamis';
import { anyOf, createWhere, field, filter, where } from 'tamis/builder';

const name = 'x" or Status != "';
console.log(String(filter`Name == ${name} and Priority == ${50}`));
console.log(String(filter`${field('Meta', 'cost.center')} == ${'42'}`));

const running = where('Status').is('running');
const near = anyOf(['dc1', 'dc2'].map((datacenter) => where('Datacenters').contains(datacenter)));
console.log(String(running.and(near)));

// With a schema, names and operators are checked by the compiler of your editor too.
const jobs = defineSchema({ Name: t.string, Priority: t.int, Tags: t.list(t.string) });
const on = createWhere(jobs);
const urgent = on('Priority').is(100).or(on('Tags').contains('urgent')).not();
console.log(String(urgent));
console.log(
  compileFilter(urgent, { schema: jobs }).select([
    { Name: 'a', Priority: 100 },
    { Name: 'b', Tags: [] },
  ]),
);

// Prints:
// Name == "x\x22 or Status != \x22" and Priority == 50
// Meta["cost.center"] == "42"
// Status == "running" and ("dc1" in Datacenters or "dc2" in Datacenters)
// not (Priority == 100 or "urgent" in Tags)
// [ { Name: 'b', Tags: [] } ]
