import { readJsonStream } from '../api/json-stream.js';
import type { ApiClient, Parameters } from '../api/api-client.js';

/** A frame of a log: its bytes and their offset in a log file. */
interface Frame {
  readonly Data?: string;
  readonly File?: string;
  readonly Offset?: number;
}

interface Place {
  readonly file: number;
  readonly offset: number;
}

/** Minimum bytes of a log that are read first, and the growth factor if they contain too few lines. */
const firstLook = 65_536;
const more = 16;
/** Assumed length of a log line, in bytes. */
const typicalLineLength = 128;
const newline = 0x0a;

/**
 * Finds the start of the last lines of a log, without buffering them.
 *
 * @returns the parameters for reading from there on.
 */
export async function findTail(
  api: ApiClient,
  path: string,
  log: Parameters,
  lines: number,
): Promise<Parameters> {
  for (let length = Math.max(firstLook, lines * typicalLineLength); ; length *= more) {
    const read = await readEnd(api, path, { ...log, origin: 'end', offset: length }, lines);
    const start = read.starts.at(-lines);
    if (lines === 0) return from(read.end);
    if (read.starts.length >= lines && start !== undefined) return from(start);
    if (read.bytes < length) return { origin: 'start', offset: 0 };
  }
}

function from(place: Place | null): Parameters {
  return place === null ? { origin: 'start', offset: 0 } : { from: `${place.file}:${place.offset}` };
}

/** Returns the start positions of up to the requested number of last lines. The first byte may not start a line. */
async function readEnd(
  api: ApiClient,
  path: string,
  parameters: Parameters,
  lines: number,
): Promise<{ readonly starts: readonly Place[]; readonly end: Place | null; readonly bytes: number }> {
  let starts: Place[] = [];
  let end: Place | null = null;
  let bytes = 0;
  let isAfterLine = false;
  for await (const value of readJsonStream(await api.stream(path, parameters))) {
    const { Data = '', File = '', Offset = 0 } = value as Frame;
    const number = /\.(\d+)$/.exec(File)?.[1];
    if (number === undefined) continue;
    const file = Number(number);
    const data = Buffer.from(Data, 'base64');
    for (let at = 0; at < data.length;) {
      if (isAfterLine) starts.push({ file, offset: Offset + at });
      const next = data.indexOf(newline, at);
      isAfterLine = next !== -1;
      at = next === -1 ? data.length : next + 1;
    }
    if (starts.length > 2 * lines) starts = starts.slice(-Math.max(1, lines));
    bytes += data.length;
    end = { file, offset: Offset + data.length };
  }
  return { starts, end, bytes };
}
