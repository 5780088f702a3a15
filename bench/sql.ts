// Prints what a translation costs beyond `compileFilter` of the same text, warm: the median over rounds, in microseconds.
//
//   npm run bench:sql
import { compileFilter, defineSchema, t } from '../src/index.js';
import { array, int, jsonb, sqlMapping, text, timestamptz, type DialectName } from '../src/entries/sql.js';

const schema = defineSchema({
  ID: t.string,
  Name: t.string,
  Status: t.string,
  Priority: t.int,
  Region: t.nullable(t.string),
  Version: t.version,
  Submitted: t.time,
  Tags: t.list(t.string),
  Meta: t.map(t.string),
});

const filters = [
  'Status == "running"',
  'Name starts with "web-10" and Priority > 50',
  '"t7" in Tags and Status == "dead"',
  'not (Region == "r1") and Name like "api-4*"',
  'Name matches "^web-[0-9]{2}$"',
  'Meta.env == "prod" and Meta.team == "t7"',
  'Status in ["running", "pending"] and Submitted > "2026-01-01T00:00:00Z" and Version > 1.18.0',
];

const sourceOf = (dialect: DialectName) =>
  sqlMapping(schema, {
    dialect,
    table: 'jobs',
    columns: {
      ID: text('id', { notNull: true }),
      Name: text('name', { notNull: true, constrained: true }),
      Status: text('status', { notNull: true }),
      Priority: int('priority', { notNull: true }),
      Region: text('region'),
      Version: text('version', { notNull: true }),
      ...(dialect === 'sqlite'
        ? {}
        : { Submitted: timestamptz('submitted', { notNull: true, constrained: true }) }),
      Tags: dialect === 'sqlite' ? jsonb('tags') : array('tags'),
      Meta: dialect === 'duckdb' ? text('meta') : jsonb('meta'),
    } as Parameters<typeof sqlMapping>[1]['columns'],
  });

const rounds = 2_000;

/** The median of a call, in microseconds. Each text is another one, so that nothing that is kept by its text is found. */
function median(call: (filter: string) => unknown, filter: string): number {
  const times = new Float64Array(rounds);
  for (let round = -500; round < rounds; round += 1) {
    const text = `${filter}${' '.repeat(1 + (round & 7))}`;
    const started = process.hrtime.bigint();
    call(text);
    if (round >= 0) times[round] = Number(process.hrtime.bigint() - started) / 1000;
  }
  return times.sort()[rounds / 2] ?? 0;
}

for (const dialect of ['postgres', 'sqlite'] as const) {
  const source = sourceOf(dialect);
  const beyond = filters.map((filter) => {
    const whole = median((text) => compileFilter(text, { schema, unresolved: 'absent' }), filter);
    const both = median((text) => source.where(text, { unresolved: 'absent' }), filter);
    process.stdout.write(
      `${dialect}: ${whole.toFixed(0)} us and ${(both - whole).toFixed(0)} us: ${filter}\n`,
    );
    return both - whole;
  });
  beyond.sort((a, b) => a - b);
  process.stdout.write(
    `${dialect}: median ${(beyond[Math.floor(beyond.length / 2)] ?? 0).toFixed(0)} us beyond\n`,
  );
}
