import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSuite } from './data.mjs';
import { fuzz } from './fuzz.mjs';
import { renderPage } from './page.mjs';
import { converse, ProgramError } from './program.mjs';
import { badgeOf, renderText, tally, toJson } from './report.mjs';

const help = `Reports how much of the filter language a program reads: go-bexpr and Tamis.

usage: tamis-conformance run [options] -- COMMAND [ARGUMENT...]
       tamis-conformance sentences
       tamis-conformance page REPORT.json...
       tamis-conformance fuzz --a FILE --b FILE [--cases N] [--seed N]

run puts the cases to a program (PROTOCOL.md) and reports what passed, by sentence of the language's page.
  --level N          only cases of this level, 0 or 1
  --only NAME        only the cases of this id, family or sentence; may be repeated
  --failures N       how many failures are explained (10)
  --patience SECONDS how long an answer may take (60)
  --json             the report as JSON, on standard output, with every case that failed, whole
  --badge FILE       writes a badge, as SVG

sentences prints each sentence with the ids of its cases.

page prints a page of HTML with a column for each report of --json, and the ids of all that failed.

fuzz puts drawn cases of level 0 to two programs and prints the smallest on which they differ. A FILE holds a JSON list of a
program and its arguments. Exits with 0 when they agree, 1 when they do not.

Exits with 0 when nothing failed, 1 when something did, 2 for a command that is no good.
`;

/** A command that is no good. */
class UsageError extends Error {}

/**
 * The whole program.
 *
 * @param {readonly string[]} args
 * @param {{ stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream & { isTTY?: boolean } }} streams
 * @returns {Promise<number>} the exit code
 */
export async function main(args, { stdout, stderr }) {
  const [command, ...rest] = args;
  try {
    if (command === undefined || command === '--help' || command === 'help') {
      stdout.write(help);
      return command === undefined ? 2 : 0;
    }
    if (command === 'run') return await run(rest, stdout, stderr);
    if (command === 'sentences') return printSentences(stdout);
    if (command === 'page') return printPage(rest, stdout);
    if (command === 'fuzz') return await runFuzz(rest, stdout);
    throw new UsageError(`there is no command ${JSON.stringify(command)}: run, sentences, page, fuzz`);
  } catch (error) {
    const isOurs = error instanceof UsageError || error instanceof ProgramError || isArgumentError(error);
    if (!isOurs) throw error;
    stderr.write(`tamis-conformance: ${error.message}\n`);
    return 2;
  }
}

/** @param {unknown} error @returns {error is Error} */
function isArgumentError(error) {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.WritableStream} stdout
 * @param {NodeJS.WritableStream & { isTTY?: boolean }} stderr
 */
async function run(args, stdout, stderr) {
  const split = args.indexOf('--');
  const [file, ...parts] = split < 0 ? [] : args.slice(split + 1);
  if (file === undefined) throw new UsageError('run: expected -- followed by the program');
  const { values } = parseArgs({
    args: args.slice(0, split),
    options: {
      level: { type: 'string' },
      only: { type: 'string', multiple: true },
      failures: { type: 'string', default: '10' },
      patience: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
      badge: { type: 'string' },
    },
  });
  const suite = readSuite();
  const level = values.level === undefined ? 1 : whole('level', values.level);
  const expected = values.only;
  const cases = suite.cases.filter(
    (each) =>
      (values.level === undefined || each.level === level) &&
      (expected === undefined ||
        expected.some((name) => name === each.id || name === each.family || each.sentences.includes(name))),
  );
  if (cases.length === 0) throw new UsageError('run: no case is of this level and name');
  const onAnswer = (/** @type {number} */ count) => {
    if (stderr.isTTY === true && count % 200 === 0) stderr.write(`\r${count} of ${cases.length} answered `);
  };
  const timeout = whole('patience', values.patience) * 1_000;
  const conversation = await converse([file, ...parts], suite.schemas, cases, {
    patience: timeout,
    onAnswer,
  });
  if (stderr.isTTY === true) stderr.write('\r\u001b[K');
  const report = tally(cases, conversation);
  const maxFailures = whole('failures', values.failures);
  stdout.write(
    values.json ? `${JSON.stringify(toJson(report))}\n` : renderText(report, suite, { maxFailures }),
  );
  if (values.badge !== undefined) writeFileSync(values.badge, badgeOf(report));
  return report.counts.failed === 0 ? 0 : 1;
}

/**
 * @param {string} option
 * @param {string} text
 */
function whole(option, text) {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`--${option}: expected a whole number, found ${JSON.stringify(text)}`);
}

/**
 * @param {readonly string[]} files
 * @param {NodeJS.WritableStream} stdout
 */
function printPage(files, stdout) {
  if (files.length === 0) throw new UsageError('page: expected reports, as run --json prints them');
  const reports = files.map((file) => /** @type {import('./page.mjs').JsonReport} */ (readJson(file)));
  for (const [index, report] of reports.entries()) {
    if (report?.program === undefined || report.sentences === undefined || report.forms === undefined)
      throw new UsageError(`${files[index]}: expected a report, as run --json prints it`);
  }
  stdout.write(renderPage(reports, readSuite().sentences));
  return 0;
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.WritableStream} stdout
 */
async function runFuzz(args, stdout) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      a: { type: 'string' },
      b: { type: 'string' },
      cases: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const [a, b] = [values.a, values.b].map((file) => commandIn(file));
  if (a === undefined || b === undefined) throw new UsageError('fuzz: expected --a FILE and --b FILE');
  const found = await fuzz(a, b, { cases: whole('cases', values.cases), seed: whole('seed', values.seed) });
  if (found === null) {
    stdout.write('no difference\n');
    return 0;
  }
  const { expression, row } = found.testCase;
  stdout.write(`${JSON.stringify({ level: 0, expression, row, a: found.a, b: found.b }, null, 2)}\n`);
  return 1;
}

/**
 * @param {string | undefined} file
 * @returns {[string, ...string[]] | undefined}
 */
function commandIn(file) {
  if (file === undefined) return undefined;
  const command = readJson(file);
  if (Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string'))
    return /** @type {[string, ...string[]]} */ (command);
  throw new UsageError(`${file}: expected a JSON list of a program and its arguments`);
}

/**
 * @param {string} file
 * @returns {unknown}
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @param {NodeJS.WritableStream} stdout */
function printSentences(stdout) {
  const { cases, sentences } = readSuite();
  for (const { id, text, untested } of sentences) {
    const ids = cases.filter((each) => each.sentences.includes(id)).map((each) => each.id);
    stdout.write(`${id}  ${text}\n    ${untested === undefined ? ids.join(' ') : `no case: ${untested}`}\n`);
  }
  return 0;
}
