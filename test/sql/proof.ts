// Asks the engines in this process random filters about random rows, from a seed that nobody chose, and hostile texts.
//
//   npm run proof:sql                          30,000 filters, 20,000 hostile texts
//   npm run proof:sql -- --filters 1000 --seed 7
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { compileFilter, FilterError, print } from '../../src/index.js';
import { createRandom } from '../fuzz/random.js';
import { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { Values } from '../support/drawn-values.js';
import { dialects, openEngine } from './engines.js';
import { hostileFilter } from './hostile.js';
import { drawRow, houseOf, schema, shape } from './house.js';

const { values: given } = parseArgs({
  options: {
    filters: { type: 'string', default: '30000' },
    hostile: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const seed = Number(given.seed);
const now = new Date('2026-11-02T00:00:00Z');
const rowsOfTable = 60;
const filtersOfTable = 30;
let failures = 0;
process.stdout.write(`seed ${seed}\n`);

for (const dialect of dialects) {
  const engine = await openEngine(dialect);
  if (engine === null) continue;
  const { below } = createRandom(seed);
  const draw = new Draw(below);
  const house = houseOf(dialect, 'proof');
  const { source } = house;
  const mark = dialect === 'postgres' ? '$' : '?';
  const tally = { exact: 0, weaker: 0, residual: 0, pairs: 0 };
  const wanted = Math.ceil(Number(given.filters) / dialects.length);
  while (tally.exact + tally.weaker + tally.residual < wanted && failures < 20) {
    const values = new Values(draw);
    await engine.fill(
      house,
      'proof',
      Array.from({ length: rowsOfTable }, (_, at) => drawRow(values, `r${at}`)),
    );
    const found = await engine.run(`SELECT ${source.select} FROM ${source.from}`, []);
    const all = found.map((row) => source.decode(row) as Record<string, unknown>);
    for (let count = 0; count < filtersOfTable; count += 1) {
      const ast = drawFilter(draw, values, shape, true);
      const filter = textOf(ast);
      if (filter === null) continue;
      const whole = compileFilter(filter, { schema, unresolved: 'absent', now: () => now });
      const query = source.where(filter, { unresolved: 'absent', now });
      const expected = all.filter((row) => whole.test(row)).map(({ id }) => String(id));
      const statement = `SELECT ${source.select} FROM ${source.from} WHERE ${query.text(mark)}`;
      const { residual } = query;
      const got = (await engine.run(statement, query.values))
        .map((row) => source.decode(row) as Record<string, unknown>)
        .filter((row) => residual?.test(row) ?? true)
        .map(({ id }) => String(id));
      tally[
        query.exact ? 'exact' : query.clauses.some(({ by }) => by !== 'residual') ? 'weaker' : 'residual'
      ] += 1;
      tally.pairs += all.length;
      if (got.sort().join() === expected.sort().join()) continue;
      failures += 1;
      process.stdout.write(
        `${dialect}: ${filter}\n  ${query.text('?')}\n  found ${got.join()}\n  of    ${expected.join()}\n`,
      );
    }
  }
  process.stdout.write(`${dialect}: ${JSON.stringify(tally)}, ${failures} differences so far\n`);
  await engine.close();
}

const { below } = createRandom(seed);
const draw = new Draw(below);
let leaked = 0;
for (let count = 0; count < Number(given.hostile); count += 1) {
  const dialect = draw.pick(dialects);
  const { filter, words } = hostileFilter(draw);
  const query = houseOf(dialect).source.where(filter, { unresolved: 'absent', now });
  const text = query.text('?');
  if (words.some((word) => text.includes(word)) || query.parts.strings.length !== query.values.length + 1) {
    leaked += 1;
    process.stdout.write(`${dialect}: ${filter}\n  ${text}\n`);
  }
}
process.stdout.write(`${given.hostile} hostile texts, ${leaked} in a statement\n`);
process.exitCode = failures + leaked > 0 ? 1 : 0;

/** The text of a filter that the schema takes; null for all others. */
function textOf(ast: Parameters<typeof print>[0]): string | null {
  try {
    const text = print(ast);
    compileFilter(text, { schema });
    return text;
  } catch (error) {
    if (error instanceof FilterError || error instanceof TypeError) return null;
    throw error;
  }
}
