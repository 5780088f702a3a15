import type { SchedulerError } from '../base/errors.js';
import { unreachable } from '../base/errors.js';

/** A chunk of a file that is sent to a reader. */
export interface FileFrame {
  /** Path in the directory of the allocation, such as `alloc/logs/web.stdout.0`; empty for a heartbeat. */
  readonly file: string;
  /** Offset of the first byte in that file. */
  readonly offset: number;
  readonly data: Buffer;
  /** Event of the file read so far; empty if none exists. */
  readonly event: FileEvent | '';
}

/** `file deleted`: the followed file is gone; another file may follow. `file truncated`: it starts again. */
export type FileEvent = 'file deleted' | 'file truncated';

/** Maximum bytes of a file in one frame. */
export const frameLength = 65_536;

/** A frame that only shows that the stream is alive. */
export const heartbeat = Buffer.from('{}');

/**
 * Encodes a frame: `{"Offset":n,"Data":"<base64>","File":"…","FileEvent":"…"}`, without zero or empty fields. Frames follow each
 * other without separators. A brace occurs only at the end of a frame: braces in names are escaped.
 */
export function printFrame({ data, event, file, offset }: FileFrame): Buffer {
  const fields = [
    ...(offset === 0 ? [] : [`"Offset":${offset}`]),
    ...(data.length === 0 ? [] : [`"Data":"${data.toString('base64')}"`]),
    ...(file === '' ? [] : [`"File":${JSON.stringify(file).replace(/[{}]/g, escapeBrace)}`]),
    ...(event === '' ? [] : [`"FileEvent":"${event}"`]),
  ];
  return Buffer.from(`{${fields.join(',')}}`);
}

function escapeBrace(brace: string): string {
  return brace === '{' ? '\\u007b' : '\\u007d';
}

/** Maximum encoded length of a frame, in bytes. Prevents a node from filling the memory of its servers. */
const maxFrameLength = 262_144;
const closingBrace = 0x7d;

/** A frame with its encoded bytes, which may be forwarded. */
export interface ReceivedFrame extends FileFrame {
  readonly bytes: Buffer;
}

/**
 * Reads frames as they arrive. @throws SchedulerError `unreachable` for a malformed frame
 *
 * @param chunks a frame may start and end anywhere in them.
 */
export async function* readFrames(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<ReceivedFrame, void, undefined> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(closingBrace); end !== -1; end = chunk.indexOf(closingBrace, from)) {
      const last = chunk.subarray(from, end + 1);
      yield parseFrame(begun.length === 0 ? last : Buffer.concat([...begun, last]));
      from = end + 1;
      begun = [];
      length = 0;
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxFrameLength) throw badFrame('it is too long');
  }
  if (length > 0) throw badFrame('it breaks off');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw badFrame('it is no JSON');
  }
}

/** Returns the error of a malformed frame. */
export function badFrame(problem: string): SchedulerError {
  return unreachable(`rpc error: a frame of the node is wrong: ${problem}`);
}

function parseFrame(bytes: Buffer): ReceivedFrame {
  const parsed = parseJson(bytes);
  if (typeof parsed !== 'object' || parsed === null) throw badFrame('it is no object');
  const { Data = '', File = '', FileEvent = '', Offset = 0 } = parsed as Readonly<Record<string, unknown>>;
  const isEvent = FileEvent === '' || FileEvent === 'file deleted' || FileEvent === 'file truncated';
  const isPlace = typeof Offset === 'number' && Number.isSafeInteger(Offset) && Offset >= 0;
  if (typeof Data !== 'string' || typeof File !== 'string' || !isEvent || !isPlace) {
    throw badFrame('it is not a file frame');
  }
  return { file: File, offset: Offset, data: Buffer.from(Data, 'base64'), event: FileEvent, bytes };
}
