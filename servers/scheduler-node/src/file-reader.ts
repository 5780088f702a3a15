import type { FileHandle } from 'node:fs/promises';
import { frameLength, type FileEvent, type FileFrame } from '@tamis/scheduler-model/host/file-frame.js';
import type { ReadStart } from './file-params.js';
import type { FileSequence, NumberedFile } from './file-sequence.js';

/** The part of a file sequence to read. */
export interface FileReading {
  readonly start: ReadStart;
  /** Maximum bytes; null for all. */
  readonly limit: number | null;
  /** Whether data appended later is read too. */
  readonly follow: boolean;
  /** Whether writing has ended, so that followers stop. */
  readonly shouldStop?: () => boolean;
}

/** The next step: data of a file, nothing more for now, or the end. */
export type NextPiece = FileFrame | 'wait' | 'end';

/** Reads a sequence of files as if it were one. */
export class FileReader {
  readonly #files: FileSequence;
  readonly #follow: boolean;
  readonly #isDone: () => boolean;
  /** Position at which reading stops; null to read without an end. */
  #end: NumberedFile | null = null;
  #number = 0;
  #offset = 0;
  #left: number;
  #handle: FileHandle | null = null;
  /** Number of the next file, once it exists. The current file is then complete. */
  #next: number | null = null;
  #event: FileEvent | '' = '';

  private constructor(
    files: FileSequence,
    { follow, shouldStop: shouldYield = () => false, limit }: FileReading,
  ) {
    this.#files = files;
    this.#follow = follow;
    this.#isDone = shouldYield;
    this.#left = limit ?? Infinity;
  }

  /** Finds the start position; null if there are no files. */
  static async open(files: FileSequence, reading: FileReading): Promise<FileReader | null> {
    const list = await files.list();
    const last = list.at(-1);
    if (last === undefined) return null;
    const reader = new FileReader(files, reading);
    if (!reading.follow) reader.#end = last;
    reader.#begin(list, last, reading.start);
    return reader;
  }

  /** Returns the current position as a frame without data. */
  get place(): FileFrame {
    return this.#frame(Buffer.alloc(0));
  }

  /** @throws SchedulerError if it is no longer a regular file */
  async next(): Promise<NextPiece> {
    for (;;) {
      if (this.#left <= 0) return 'end';
      // Checked before reading, so that everything written until then is read.
      const shouldYield = this.#isDone();
      this.#handle ??= await this.#files.open(this.#number);
      const data = this.#handle === null ? null : await this.#read(this.#handle);
      if (data !== null && data.length > 0) return this.#take(data);
      if (!this.#follow && this.#isAtEnd()) return 'end';
      if (this.#handle !== null && (await this.#isTruncated(this.#handle))) continue;
      if (this.#next !== null) {
        await this.#turnOver(this.#next);
        continue;
      }
      const [next] = (await this.#files.list()).filter(({ number }) => number > this.#number);
      // Data that was written to the current file until then is read first.
      if (next !== undefined) this.#next = next.number;
      else if (!this.#follow || shouldYield) return 'end';
      else if (this.#handle !== null && (await this.#handle.stat()).nlink > 0) return 'wait';
      else return this.#farewell();
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
    await this.#files.close();
    this.#left = 0;
  }

  #begin(list: readonly NumberedFile[], last: NumberedFile, start: ReadStart): void {
    if (start.origin === 'file') {
      const file = list.find(({ number }) => number >= start.file);
      if (file?.number !== start.file) this.#event = 'file deleted';
      this.#number = (file ?? last).number;
      this.#offset = file?.number === start.file ? start.offset : 0;
      return;
    }
    const total = list.reduce((sum, { size }) => sum + size, 0);
    let skip = start.origin === 'start' ? start.offset : Math.max(0, total - start.offset);
    for (const { number, size } of list) {
      this.#number = number;
      this.#offset = Math.min(skip, size);
      if (skip < size) return;
      skip -= size;
    }
  }

  #frame(data: Buffer): FileFrame {
    return { file: this.#files.pathOf(this.#number), offset: this.#offset, data, event: this.#event };
  }

  #take(data: Buffer): FileFrame {
    const frame = this.#frame(data);
    this.#offset += data.length;
    this.#left -= data.length;
    this.#event = '';
    return frame;
  }

  async #read(handle: FileHandle): Promise<Buffer> {
    const end = this.#end?.number === this.#number ? this.#end.size : Infinity;
    const freeBytes = Math.min(frameLength, this.#left, end - this.#offset);
    if (freeBytes <= 0) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(freeBytes);
    const { bytesRead } = await handle.read(buffer, 0, freeBytes, this.#offset);
    return buffer.subarray(0, bytesRead);
  }

  #isAtEnd(): boolean {
    return this.#end !== null && this.#number >= this.#end.number;
  }

  async #isTruncated(handle: FileHandle): Promise<boolean> {
    if ((await handle.stat()).size >= this.#offset) return false;
    this.#event = 'file truncated';
    this.#offset = 0;
    return true;
  }

  async #turnOver(next: number): Promise<void> {
    // Files in between were deleted; so was this file, if it cannot be opened.
    if (this.#handle === null || next > this.#number + 1) this.#event = 'file deleted';
    await this.#handle?.close();
    this.#handle = null;
    this.#number = next;
    this.#offset = 0;
    this.#next = null;
  }

  /** Returns the last frame of deleted data. */
  #farewell(): FileFrame {
    this.#event = 'file deleted';
    this.#left = 0;
    return this.#frame(Buffer.alloc(0));
  }
}
