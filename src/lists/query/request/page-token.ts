/**
 * Returns an encoded page token. Tokens are keys of rows, which may contain characters that a header cannot: line breaks, blanks
 * at the ends, letters beyond Latin-1. Such characters, and `%` itself, are percent-encoded. An unpaired surrogate, which UTF-8
 * cannot encode, becomes `%uD800`.
 */
export function encodeToken(token: string): string {
  return token.replace(/\p{Cs}|[^!-$&-~\p{Cs}]+/gu, (part) =>
    loneSurrogate.test(part)
      ? `%u${part.charCodeAt(0).toString(16).toUpperCase()}`
      : encodeURIComponent(part),
  );
}

const loneSurrogate = /^\p{Cs}$/u;

/** Returns a decoded page token. A string that is not encoded is returned unchanged, so that manually written tokens work. */
export function decodeToken(token: string): string {
  return token.replace(/(?:%[0-9A-Fa-f]{2})+|%u[Dd][89A-Fa-f][0-9A-Fa-f]{2}/g, (escapes) => {
    if (escapes.startsWith('%u')) return String.fromCharCode(parseInt(escapes.slice(2), 16));
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
