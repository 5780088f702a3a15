/** A command failed. The message says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
