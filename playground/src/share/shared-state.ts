import type { SchemaJSON } from 'tamis';

/** What a link carries. */
export interface SharedState {
  readonly filter: string;
  readonly schema: SchemaJSON | null;
  /** The source of the rows, only if the user included them in the link. */
  readonly rows: string | null;
}

/** A link that cannot be read. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

/** Longest filter that is taken from a link: the engine takes no longer one. */
const maxFilterLength = 65_536;

/** Reads what a link carries. @throws LinkError that says what is wrong. */
export function readSharedState(value: unknown): SharedState {
  if (typeof value !== 'object' || value === null) throw new LinkError('it holds no filter');
  const { filter, schema = null, rows = null } = value as Readonly<Record<string, unknown>>;
  if (typeof filter !== 'string') throw new LinkError('it holds no filter');
  if (filter.length > maxFilterLength)
    throw new LinkError(`its filter has more than ${maxFilterLength} characters`);
  if (rows !== null && typeof rows !== 'string') throw new LinkError('its rows are no text');
  if (schema !== null && typeof schema !== 'object') throw new LinkError('its schema is no object');
  // The engine reads the schema itself, part by part, before anything uses it.
  return { filter, schema: schema as SchemaJSON | null, rows };
}
