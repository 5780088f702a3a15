/** Headers by name in canonical case. */
export type HeaderSet = ReadonlyMap<string, string>;

/** The headers that a listener adds to its responses, by status. */
export interface ResponseHeaders {
  readonly byDefault: HeaderSet;
  /** Headers by the first digit of the status. */
  readonly byClass: ReadonlyMap<number, HeaderSet>;
  readonly byStatus: ReadonlyMap<number, HeaderSet>;
}

export const noResponseHeaders: ResponseHeaders = Object.freeze({
  byDefault: new Map(),
  byClass: new Map(),
  byStatus: new Map(),
});

/**
 * Returns the headers for a status: the defaults, those of its class, and those of the exact status. Later values replace earlier
 * ones of the same name.
 */
export function headersFor(headers: ResponseHeaders, status: number): HeaderSet {
  const ofClass = headers.byClass.get(Math.floor(status / 100));
  const ofStatus = headers.byStatus.get(status);
  if (ofClass === undefined && ofStatus === undefined) return headers.byDefault;
  return new Map([...headers.byDefault, ...(ofClass ?? []), ...(ofStatus ?? [])]);
}

/** Error for a status, name or value that is not valid in a response. The message says what is wrong with it. */
export class ResponseHeaderError extends Error {
  override readonly name = 'ResponseHeaderError';
}

/** The set of responses that a block of headers applies to. */
export type StatusKey =
  { readonly kind: 'default' } | { readonly kind: 'class' | 'status'; readonly number: number };

/** @throws ResponseHeaderError */
export function readStatusKey(key: string): StatusKey {
  if (key === 'default') return { kind: 'default' };
  if (/^[1-5]xx$/.test(key)) return { kind: 'class', number: Number(key[0]) };
  if (/^[1-5]\d\d$/.test(key)) return { kind: 'status', number: Number(key) };
  throw new ResponseHeaderError(
    `${JSON.stringify(key)} is no status: write "default", a code from "100" to "599", or a class such as "3xx"`,
  );
}

/** Headers for message framing and connection control. Only the server may set them (RFC 9110, 7.6.1). */
const framing: ReadonlySet<string> = new Set([
  'Connection',
  'Content-Length',
  'Date',
  'Keep-Alive',
  'Proxy-Connection',
  'Te',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
]);

/** Prefix of names used by the API itself. Such headers are skipped. */
const reserved = 'X-Secrets-';

/**
 * Reads one header. Several values are joined with `; `, and blank ones are dropped.
 *
 * @returns the header, or why it is skipped.
 * @throws ResponseHeaderError if it would make the response invalid
 */
export function readHeader(
  name: string,
  values: readonly string[],
): { readonly name: string; readonly value: string } | { readonly skipped: string } {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw new ResponseHeaderError(
      `${JSON.stringify(name)} is no header name: use letters, digits and hyphens`,
    );
  }
  const canonical = canonicalName(name);
  if (framing.has(canonical)) throw new ResponseHeaderError(`${canonical} is set by the server itself`);
  if (canonical.startsWith(reserved)) return { skipped: `names that begin with ${reserved} are reserved` };
  for (const value of values) {
    // Line breaks would begin another header; characters beyond Latin-1 cannot be sent.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new ResponseHeaderError(
        `a value of ${canonical} holds a line break, a control character or one beyond Latin-1`,
      );
    }
  }
  const value = values
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('; ');
  return value === '' ? { skipped: 'it has no value' } : { name: canonical, value };
}

/** Returns a name in canonical case: `x-custom-header` becomes `X-Custom-Header`. */
export function canonicalName(name: string): string {
  return name
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
    .join('-');
}
