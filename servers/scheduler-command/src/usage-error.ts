/** An invalid command line. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The intended command; null if unclear. */
  readonly command: string | null;

  constructor(message: string, command: string | null = null) {
    super(message);
    this.command = command;
  }
}
