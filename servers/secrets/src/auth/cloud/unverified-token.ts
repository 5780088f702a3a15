import { readStrictObject } from '../../base/strict-json.js';

/** A parsed JSON Web Token in compact form. Its contents are unverified. */
export interface UnverifiedToken {
  readonly text: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

const base64url = /^[A-Za-z0-9_-]*$/;

/**
 * Parses a token (RFC 7515, section 3.1): three parts of base64url without padding, the first two JSON objects without repeated
 * names. Null if it has a different form.
 */
export function parseToken(text: string): UnverifiedToken | null {
  const parts = text.split('.');
  const [header = '', payload = ''] = parts;
  if (parts.length !== 3 || !parts.every((part) => base64url.test(part))) return null;
  const decodedHeader = readPart(header);
  const claims = readPart(payload);
  return decodedHeader === null || claims === null ? null : { text, header: decodedHeader, claims };
}

function readPart(part: string): Readonly<Record<string, unknown>> | null {
  const bytes = Buffer.from(part, 'base64url');
  // Invalid UTF-8 would be replaced in the string, so that it would differ from the signed bytes.
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? readStrictObject(text) : null;
}
