import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readProgram, whySkip } from './judge.mjs';

/** @typedef {import('./data.mjs').Answer} Answer */
/** @typedef {import('./data.mjs').Case} Case */

/** The protocol that this runner speaks. */
export const protocol = 1;

/** How much of a program's standard error is kept for the report, in characters. */
const retainedWords = 4_000;

/** A program that cannot be run, or that does not keep to the protocol before the first case. */
export class ProgramError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'ProgramError';
  }
}

/**
 * The results of a program, by the ids of cases. One without a result is in neither map of its own: `ended` says why.
 *
 * @typedef {object} Conversation
 * @property {import('./judge.mjs').Program} program
 * @property {ReadonlyMap<string, Answer>} answers
 * @property {string | null} ended why the program stopped before its last result
 */

/**
 * Starts a program, without a shell, and sends cases to it, line by line. Cases that it declares unsupported are left out.
 *
 * @param {readonly [string, ...string[]]} command the program and its arguments
 * @param {import('./data.mjs').Suite['schemas']} schemas
 * @param {readonly Case[]} cases
 * @param {{ patience?: number, onAnswer?: (count: number) => void }} [options] `patience`: milliseconds without a result after
 * which the program is stopped (60,000)
 * @returns {Promise<Conversation>}
 * @throws {ProgramError} where it does not start, or does not say who it is
 */
export async function converse(
  [file, ...args],
  schemas,
  cases,
  { patience: timeout = 60_000, onAnswer } = {},
) {
  const child = spawn(file, args, { shell: false, stdio: ['pipe', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    words = (words + text).slice(-retainedWords);
  });
  // A program that has gone is detected by its end; what was being written to it does not matter then.
  child.stdin.on('error', () => undefined);
  /** @type {Promise<string>} */
  const end = new Promise((resolve) => {
    child.on('error', (error) => resolve(`it did not start: ${error.message}`));
    child.on('close', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  let isLate = false;
  /** @type {NodeJS.Timeout | undefined} */
  let clock;
  const wait = () => {
    clearTimeout(clock);
    clock = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeout);
  };
  const lines = createInterface({ input: child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const why = async () => {
    const reason = await end;
    const said = words.trim() === '' ? '' : `; its last words: ${words.trim()}`;
    return (isLate ? `no answer for ${timeout} ms` : reason) + said;
  };
  try {
    wait();
    child.stdin.write(`${JSON.stringify({ protocol })}\n`);
    const first = await lines.next();
    if (first.done === true) throw new ProgramError(await why());
    const program = introduce(first.value);
    const testCase = cases.filter((each) => whySkip(each, program) === null);
    const writing = send(child.stdin, schemas, testCase);
    const pending = new Set(testCase.map(({ id }) => id));
    /** @type {Map<string, Answer>} */
    const answers = new Map();
    let ended = null;
    while (pending.size > 0) {
      wait();
      const line = await lines.next();
      if (line.done === true) {
        ended = await why();
        break;
      }
      const wrong = take(line.value, pending, answers);
      if (wrong !== null) {
        ended = wrong;
        break;
      }
      onAnswer?.(answers.size);
    }
    if (ended === null) await writing;
    return { program, answers, ended };
  } finally {
    clearTimeout(clock);
    child.stdin.end();
    child.kill();
  }
}

/** @param {string} line */
function introduce(line) {
  try {
    return readProgram(JSON.parse(line));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProgramError(`its first line does not say who it is: ${reason}, found ${line.slice(0, 200)}`);
  }
}

/**
 * @param {string} line
 * @param {Set<string>} pending
 * @param {Map<string, Answer>} answers
 * @returns {string | null} what is wrong with the line
 */
function take(line, pending, answers) {
  let read;
  try {
    read = JSON.parse(line);
  } catch {
    return `a line of it is no JSON: ${line.slice(0, 200)}`;
  }
  if (typeof read !== 'object' || read === null || typeof read.id !== 'string')
    return `a line of it has no id: ${line.slice(0, 200)}`;
  const { id, ...answer } = read;
  if (!pending.delete(id)) return `it answered ${JSON.stringify(id)}, which was not asked or is answered`;
  answers.set(id, answer);
  return null;
}

/**
 * @param {import('node:stream').Writable} input
 * @param {import('./data.mjs').Suite['schemas']} schemas
 * @param {readonly Case[]} cases
 */
async function send(input, { structs }, cases) {
  const closing = new AbortController();
  const gone = closing.signal;
  input.once('close', () => closing.abort());
  input.write(`${JSON.stringify({ structs })}\n`);
  for (const { id, level, dialect = 'go-bexpr', asks, expression, schema, row, unknown, now } of cases) {
    const line = JSON.stringify({ id, level, dialect, asks, expression, schema, row, unknown, now });
    if (input.write(`${line}\n`) || input.destroyed) continue;
    await once(input, 'drain', { signal: gone }).catch(() => undefined);
  }
  input.end();
}
