import { isErrorOf, markError } from '../../runtime/shared-identity.js';

/** A row that a table rejects. Nothing has changed. */
export class RowError extends TypeError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, RowError, value, 'RowError');
  }

  override readonly name = 'RowError';
  /** The first invalid field, such as `Datacenters[1]` or `Meta["a b"]`; empty if the row itself is invalid. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    markError(this, 'RowError');
    this.path = path;
  }
}
