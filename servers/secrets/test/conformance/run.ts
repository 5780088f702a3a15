import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCases, type ReportCase } from './case-list.js';
import { judge, readReport, type TestResult } from './test-results.js';

const help = `usage: npm run cases -w servers/secrets -- --file FILE [--only ID]...

Cases of this server are told in words, so each is a test that carries its id: "refuses an expired JWT (L07)". This runs
the tests and tells of every case in FILE how it went. A case that no test carries counts as failed.

  --file FILE   the cases: YAML with a list \`cases\` of {id, prio, given, when, then}
  --only ID     only this case, may be repeated
  --verbose     also tell of the cases that passed
  --help        this
`;

/** Runs all tests of the server; only what carries one of the ids when there are some. */
async function runTests(ids: readonly string[]): Promise<readonly TestResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-cases-'));
  const report = join(folder, 'report.json');
  const filter = ids.length === 0 ? [] : ['--testNamePattern', `\\b(?:${ids.join('|')})\\b`];
  try {
    await new Promise<void>((done, fail) => {
      const vitest = spawn(
        process.execPath,
        [
          fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json'))),
          ...['run', 'servers/secrets/test', '--reporter=json', `--outputFile=${report}`, ...filter],
        ],
        {
          cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      );
      vitest.once('error', fail);
      // Failed tests are reported below; without a report there is nothing to print.
      vitest.once('exit', () => done());
    });
    return readReport(await readFile(report, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function notify({ id, priority, given, when, then }: ReportCase): string {
  return `${id} (${priority}): given ${given}; ${when}; then ${then}`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      file: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      verbose: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true || values.file === undefined) {
    process.stdout.write(help);
    return values.help === true ? 0 : 2;
  }
  // npm runs scripts in the folder of the package; paths are meant from where the caller is.
  const path = resolve(process.env['INIT_CWD'] ?? '.', values.file);
  const all = readCases(await readFile(path, 'utf8'));
  const missing = values.only.find((id) => !all.some((known) => known.id === id));
  if (missing !== undefined) throw new Error(`there is no case ${missing} in ${path}`);
  const cases = values.only.length === 0 ? all : all.filter(({ id }) => values.only.includes(id));
  const results = await runTests(values.only);
  let passed = 0;
  for (const one of cases) {
    const verdict = judge(one.id, results);
    if (verdict.kind === 'passed') {
      passed += 1;
      if (values.verbose === true) process.stdout.write(`passed ${one.id}, ${verdict.tests} tests\n`);
    } else if (verdict.kind === 'untested') {
      process.stdout.write(`FAILED ${notify(one)}\n  no test carries this id\n`);
    } else {
      const lines = verdict.tests.map(
        ({ name, messages }) => `  ${name}: ${messages[0]?.split('\n')[0] ?? ''}\n`,
      );
      process.stdout.write(`FAILED ${notify(one)}\n${lines.join('')}`);
    }
  }
  process.stdout.write(`${passed} passed, ${cases.length - passed} failed, 0 skipped\n`);
  return passed === cases.length ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
