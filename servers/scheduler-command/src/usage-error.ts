/** A command line that cannot be followed. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command that was meant; null where that is not clear. */
  readonly command: string | null;

  constructor(message: string, command: string | null = null) {
    super(message);
    this.command = command;
  }
}
