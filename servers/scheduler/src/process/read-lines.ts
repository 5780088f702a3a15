import { accessSync, constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { StringDecoder } from 'node:string_decoder';
import { ImportError } from '../cluster/import.js';
import { CommandError } from '../commands/command-error.js';

/** The lines of a source, and how much of it they are. */
export interface Lines {
  readonly lines: AsyncIterable<string>;
  /** The part that has been read, from 0 to 1; null where the size of the source is not known. */
  readonly done: () => number | null;
}

/** Bytes that are read at a time, always into the same memory: a file may have a million times as many. */
const chunkSize = 262_144;
/** Characters of a line. Stops a file without ends of lines from filling the memory; no row is a tenth as long. */
const maxLength = 16_777_216;

/** Makes sure that a file is there to be read, before anything is done for it. @throws CommandError */
export function requireFile(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CommandError(isMissing ? `There is no file ${file}` : `${file} may not be read`);
  }
  if (statSync(file).isDirectory()) throw new CommandError(`${file} is a directory: name a file`);
}

/**
 * The lines of a file, without their ends, which are `\n` or `\r\n`.
 *
 * @throws ImportError for a line that is too long, the errors of the file system; both while it is read.
 */
export function linesOfFile(file: string): Lines {
  let read = 0;
  let size = 0;
  async function* lines(): AsyncGenerator<string> {
    const handle = await open(file, 'r');
    try {
      ({ size } = await handle.stat());
      const decoder = new StringDecoder('utf8');
      const buffer = Buffer.allocUnsafeSlow(chunkSize);
      let number = 1;
      let rest = '';
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, chunkSize, null);
        read += bytesRead;
        const text = rest + (bytesRead === 0 ? decoder.end() : decoder.write(buffer.subarray(0, bytesRead)));
        let start = 0;
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
          yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
          start = end + 1;
          number += 1;
        }
        rest = text.slice(start);
        if (rest.length > maxLength)
          throw new ImportError(
            file,
            number,
            `is longer than ${maxLength} characters: is it one object a line?`,
          );
        if (bytesRead > 0) continue;
        if (rest !== '') yield rest;
        return;
      }
    } finally {
      await handle.close();
    }
  }
  return { lines: lines(), done: () => (size === 0 ? null : Math.min(read / size, 1)) };
}

/** The lines of what others write, of which nobody knows how long it is. */
export function linesOfStream(source: NodeJS.ReadableStream): Lines {
  return { lines: createInterface({ input: source, crlfDelay: Infinity }), done: () => null };
}
