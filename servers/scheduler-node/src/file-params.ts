import { firstParameter, parseGoBool, type QueryParameters } from '@tamis/http';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { quote } from '@tamis/scheduler-model/quote.js';

/** The output streams of a task. */
const outputStreams = ['stdout', 'stderr'] as const;
export type OutputStream = (typeof outputStreams)[number];

/** The start position of reading a file or the files of a log. */
export type ReadStart =
  | { readonly origin: 'start' | 'end'; readonly offset: number }
  /** A byte offset in one log file, selected by number. */
  | { readonly origin: 'file'; readonly file: number; readonly offset: number };

/** The parameters of a task log. */
export interface LogParams {
  readonly task: string;
  readonly stream: OutputStream;
  readonly follow: boolean;
  /** Whether to send raw bytes instead of frames. */
  readonly plain: boolean;
  readonly start: ReadStart;
  /** Maximum bytes; null for all. */
  readonly limit: number | null;
}

/** Parses the parameters of a log. @throws SchedulerError `bad-request` for the first invalid one */
export function parseLogParams(parameters: QueryParameters): LogParams {
  const task = firstParameter(parameters, 'task');
  if (task === '') throw badRequest('must provide task name');
  const type = firstParameter(parameters, 'type');
  const stream = outputStreams.find((name) => name === type);
  if (stream === undefined) throw badRequest('must provide log type (stdout/stderr)');
  return {
    ...{ task, stream },
    follow: parseBool(parameters, 'follow'),
    plain: parseBool(parameters, 'plain'),
    start: parsePlace(firstParameter(parameters, 'from')) ?? parseStart(parameters),
    limit: parseLimit(parameters),
  };
}

/** Parameters of reading one file. */
export interface FileParams {
  readonly path: string;
  readonly start: ReadStart & { readonly origin: 'start' | 'end' };
  /** Maximum bytes; null for all. */
  readonly limit: number | null;
  readonly follow: boolean;
  readonly plain: boolean;
}

/** Parses the parameters of a streamed file. @throws SchedulerError `bad-request` */
export function parseStreamParams(parameters: QueryParameters): FileParams {
  return {
    path: parsePath(parameters),
    start: parseStart(parameters),
    limit: parseLimit(parameters),
    follow: parseBool(parameters, 'follow', true),
    plain: parseBool(parameters, 'plain'),
  };
}

/** Parses which part of a file to read; the whole file without an offset. @throws SchedulerError `bad-request` */
export function parsePartParams(parameters: QueryParameters): FileParams {
  const path = parsePath(parameters);
  const text = firstParameter(parameters, 'offset');
  const offset = text === '' ? 0 : parseNumber(text, 'offset');
  return {
    path,
    start: { origin: 'start', offset },
    limit: parseLimit(parameters),
    follow: false,
    plain: true,
  };
}

/** Returns the requested path. @throws SchedulerError `bad-request` if it is missing */
export function parsePath(parameters: QueryParameters): string {
  const path = firstParameter(parameters, 'path');
  if (path === '') throw badRequest('must provide a file path');
  return path;
}

function parseStart(parameters: QueryParameters): FileParams['start'] {
  const text = firstParameter(parameters, 'offset');
  const offset = text === '' ? 0 : parseNumber(text, 'offset');
  const origin = firstParameter(parameters, 'origin') || 'start';
  if (origin !== 'start' && origin !== 'end') throw badRequest('origin must be start or end');
  return { origin, offset };
}

function parseLimit(parameters: QueryParameters): number | null {
  const text = firstParameter(parameters, 'limit');
  // As in the original scheduler, 0 means no limit.
  return text === '' ? null : parseNumber(text, 'limit') || null;
}

/** Parses a position sent by servers: the number of a file and an offset in it. */
function parsePlace(text: string): ReadStart | null {
  if (text === '') return null;
  const [, file, offset] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  if (file === undefined || offset === undefined)
    throw badRequest('from must be the number of a file and an offset');
  return { origin: 'file', file: Number(file), offset: Number(offset) };
}

/** Formats a position for {@link parseLogParams}. */
export function printPlace({ file, offset }: { readonly file: number; readonly offset: number }): string {
  return `${file}:${offset}`;
}

function parseNumber(text: string, name: string): number {
  const number = /^\+?\d{1,20}$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw badRequest(
    `error parsing ${name}: expected a whole number that is not negative, found ${quote(text)}`,
  );
}

function parseBool(parameters: QueryParameters, name: string, fallback = false): boolean {
  const text = firstParameter(parameters, name);
  const parsed = text === '' ? fallback : parseGoBool(text);
  if (parsed !== null) return parsed;
  throw badRequest(`failed to parse ${name} field to boolean: expected true or false, found ${quote(text)}`);
}
