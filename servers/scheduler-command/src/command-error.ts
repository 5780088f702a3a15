/** Error of a failed command. The message says how to fix it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
