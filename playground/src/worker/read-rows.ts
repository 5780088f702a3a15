import { findJsonFault } from '../../../src/command/input/json-fault.js';
import { parseExactly } from '../../../src/runtime/exact-json.js';
import type { ReadProblem, RowFormat } from '../protocol.js';
import { readCsvRows } from './csv-rows.js';
import { maxCharacters, maxDepth, maxProblems, maxRows } from './limits.js';
import { ReadError } from './read-problem.js';

/** The rows of a text, and what could not be read of it. */
export interface ReadRows {
  readonly format: RowFormat;
  readonly rows: object[];
  /** Rows that were left out, the first {@link maxProblems} of them. */
  readonly problems: readonly ReadProblem[];
  readonly problemCount: number;
}

/**
 * Reads rows: a JSON array of objects, one object on each line (NDJSON), or CSV with a line of names. The format is detected. Of
 * NDJSON an invalid line is left out and reported; any other source is read whole or not at all.
 *
 * @throws ReadError with the line.
 */
export function readRows(text: string): ReadRows {
  if (text.length > maxCharacters)
    throw new ReadError(`there are ${text.length} characters, and ${maxCharacters} are the most`);
  const start = text.search(/[^\s\uFEFF]/);
  if (start === -1) throw new ReadError('there are no rows: the text is empty');
  const first = text[start];
  if (first === '{' && isWholeLine(text, start)) return readLines(text);
  if (first === '[' || first === '{') return readDocument(text.slice(start), lineAt(text, start));
  const { rows, isCut } = readCsvRows(text);
  if (rows.length === 0) throw new ReadError('there is a line of names and no row below it');
  return { format: 'csv', rows, ...cutProblem(isCut) };
}

/** Whether the object that begins here ends on its line, and another line follows. */
function isWholeLine(text: string, start: number): boolean {
  const end = text.indexOf('\n', start);
  if (end === -1 || text.slice(end).trim() === '') return false;
  try {
    JSON.parse(text.slice(start, end));
    return true;
  } catch {
    return false;
  }
}

function readLines(text: string): ReadRows {
  const rows: object[] = [];
  const problems: ReadProblem[] = [];
  let problemCount = 0;
  let line = 0;
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const json = text.slice(at, end).trim();
    at = end + 1;
    line += 1;
    if (json === '' || json === '\uFEFF') continue;
    if (rows.length === maxRows) {
      const cut = cutProblem(true);
      return {
        format: 'ndjson',
        rows,
        problems: [...cut.problems, ...problems],
        problemCount: problemCount + 1,
      };
    }
    try {
      rows.push(asRow(parse(json, line), line));
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      problemCount += 1;
      if (problems.length < maxProblems) problems.push(error.problem);
    }
  }
  if (rows.length === 0) throw new ReadError('none of the lines is an object', problems[0]?.line ?? null);
  return { format: 'ndjson', rows, problems, problemCount };
}

/** A list of objects, an object around one (as in API responses), or a single object. */
function readDocument(json: string, line: number): ReadRows {
  const value = parse(json, line);
  const list = Array.isArray(value) ? value : (onlyList(value) ?? [value]);
  if (list.length === 0) throw new ReadError('there are no rows: the list is empty', line);
  const isCut = list.length > maxRows;
  const rows = (isCut ? list.slice(0, maxRows) : list).map((row, index) => asRow(row, null, index + 1));
  return { format: 'json', rows, ...cutProblem(isCut) };
}

/** The one list of objects that an object holds; null unless there is exactly one. */
function onlyList(value: unknown): unknown[] | null {
  const lists = Object.values(value as object).filter(
    (each): each is unknown[] => Array.isArray(each) && each.length > 0 && each.every(isObject),
  );
  const [list] = lists;
  return list !== undefined && lists.length === 1 && list.length > 1 ? list : null;
}

function cutProblem(isCut: boolean): Pick<ReadRows, 'problems' | 'problemCount'> {
  const message = `only the first ${maxRows} rows are kept`;
  return isCut
    ? { problems: [{ line: null, message, hint: null }], problemCount: 1 }
    : { problems: [], problemCount: 0 };
}

function parse(json: string, line: number): unknown {
  if (isDeeper(json, maxDepth))
    throw new ReadError(`rows may be nested ${maxDepth} deep, and this is deeper`, line);
  try {
    return parseExactly(json);
  } catch {
    const fault = findJsonFault(json);
    if (fault === null) throw new ReadError('this is not JSON', line);
    throw new ReadError(fault.message, line + lineAt(json, fault.start) - 1, fault.hint);
  }
}

function asRow(value: unknown, line: number | null, number?: number): object {
  if (isObject(value)) return value;
  const what = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  const which = number === undefined ? 'a row' : `row ${number}`;
  throw new ReadError(`${which} must be an object, not ${what}`, line);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The line of a place in a text, from 1. */
function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}

const quote = 0x22;
const backslash = 0x5c;

/** Whether brackets are nested deeper than `most`. */
function isDeeper(json: string, max: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) inString = !inString;
    else if (inString) {
      if (code === backslash) at += 1;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}
