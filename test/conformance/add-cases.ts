// Adds cases of our own to the suite: reads them as JSON lines, with the result that the language page gives, and rejects them if
// the engine, or for the value of a row the plain interpreter, returns another one.
//
//   node --import tsx test/conformance/add-cases.ts FAMILY < FILE
//
// A line has `sentences`, `expression` and `answer`; `level` (1), `dialect` ("standard"), `asks`, `schema`, `row` (JSON as a
// string), `unknown` and `now` if needed. The id, the forms and the source are added to it.
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { idOf } from '../../conformance/src/case-id.mjs';
import type { Case } from '../../conformance/src/data.mjs';
import { dataFolder, judge, readLines, readRow, readSuite } from '../../conformance/src/index.mjs';
import { tamisProgram } from '../../conformance/drivers/tamis-answers.mjs';
import { FilterError, parse } from '../../src/index.js';
import { interpret } from '../support/interpreter.js';
import type { OracleSchema } from '../support/oracle-value.js';
import { resultsOf } from './engine.js';

const [family = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9-]*$/.test(family))
  throw new Error('expected the name of a family: small letters, digits and -');

const suite = readSuite();
const result = resultsOf(suite);
const program = tamisProgram('sources');
const known = new Set(suite.cases.map(({ id }) => id));
const sentences = new Set(suite.sentences.map(({ id }) => id));
const rows = new Map(
  readLines(join(dataFolder, 'rows.jsonl')).map(({ id, json }) => [json as string, id as string]),
);
const [caseLines, rowLines]: [string[], string[]] = [[], []];

for (const line of (await text(process.stdin)).split('\n')) {
  if (line !== '') add(JSON.parse(line) as Partial<Case>);
}
appendFileSync(join(dataFolder, 'cases', `${family}.jsonl`), caseLines.join(''));
appendFileSync(join(dataFolder, 'rows.jsonl'), rowLines.join(''));
process.stdout.write(`${caseLines.length} cases and ${rowLines.length} rows are new\n`);

function add(given: Partial<Case>): void {
  const { expression, answer: expected, sentences: about = [], row, ...rest } = given;
  if (expression === undefined || expected === undefined || about.length === 0)
    throw new Error(`expected expression, answer and sentences: ${JSON.stringify(given)}`);
  const lost = about.find((id) => !sentences.has(id));
  if (lost !== undefined) throw new Error(`there is no sentence ${lost}`);
  const { level = 1, dialect = 'standard', ...others } = rest as { level?: 0 | 1; dialect?: string };
  const query = {
    level,
    ...(dialect === 'standard' ? { dialect } : {}),
    ...others,
    expression,
    ...(row === undefined ? {} : { row }),
  } as Omit<Case, 'id' | 'family' | 'sentences' | 'answer' | 'source'>;
  const id = idOf(query);
  const source = query.asks ?? (level === 0 ? 'page' : 'level 1');
  const requests: Case = { ...query, id, family, sentences: about, answer: expected, source };
  if (known.has(id)) return;
  known.add(id);
  const verdict = judge(requests, result(requests), program);
  if (verdict.kind !== 'passed') throw new Error(`${JSON.stringify(given)}: ${JSON.stringify(verdict)}`);
  compareWithInterpreter(requests);
  const forms = formsOf(requests);
  caseLines.push(
    `${JSON.stringify({
      id,
      sentences: about,
      ...query,
      ...(row === undefined ? {} : { row: rowId(row) }),
      answer: expected,
      ...(forms.length === 0 ? {} : { forms }),
      source,
    })}\n`,
  );
}

/** The interpreter was written from the page alone, and knows nothing of refusals before a row. */
function compareWithInterpreter({
  expression,
  level,
  dialect,
  schema: root,
  row,
  now,
  answer: expected,
}: Case): void {
  if (row === undefined || (expected.value === undefined && expected.error !== 'evaluation')) return;
  const { structs } = suite.schemas;
  const said = interpret(
    parse(expression, { dialect: dialect ?? 'go-bexpr' }).ast,
    readRow(row, root, structs),
    {
      level: level ?? 1,
      ...(root === undefined ? {} : { schema: { root, structs } as unknown as OracleSchema }),
      ...(now === undefined ? {} : { now: BigInt(Date.parse(now)) * 1_000_000n }),
    },
  );
  const agrees = expected.value === undefined ? typeof said === 'string' : said === expected.value;
  if (!agrees) throw new Error(`${expression} on ${row}: the interpreter says ${said}`);
}

function formsOf({ expression, dialect }: Case): readonly string[] {
  if (dialect !== 'standard') return [];
  try {
    return [...new Set(parse(expression).relaxations.map(({ kind }) => kind))].sort();
  } catch (error) {
    if (error instanceof FilterError) return [];
    throw error;
  }
}

function rowId(json: string): string {
  const found = rows.get(json);
  if (found !== undefined) return found;
  const id = `r${createHash('sha256').update(json).digest('hex').slice(0, 8)}`;
  rows.set(json, id);
  rowLines.push(`${JSON.stringify({ id, json })}\n`);
  return id;
}
