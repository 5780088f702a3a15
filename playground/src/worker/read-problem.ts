import type { ReadProblem } from '../protocol.js';

/** A text that cannot be read as rows. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  readonly problem: ReadProblem;

  constructor(message: string, line: number | null = null, hint: string | null = null) {
    super(message);
    this.problem = { line, message, hint };
  }
}
