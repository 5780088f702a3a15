import { formatAge } from '../terminal/ages.js';
import type { Session } from '../session.js';

/** A token as returned by the API. */
export interface TokenView {
  readonly AccessorID: string;
  readonly SecretID?: string;
  readonly Name: string;
  readonly Type: string;
  readonly Policies: readonly string[] | null;
  readonly CreateTime: string | null;
  readonly ExpirationTime: string | null;
}

/** Returns when a token expires, relative to now; empty if it never expires. */
export function endOf({ now }: Session, time: string | null): string {
  return time === null ? '' : formatAge(Date.parse(time), now());
}
