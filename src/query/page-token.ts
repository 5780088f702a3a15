/**
 * Page tokens are keys of rows, and keys may hold what a header cannot: line breaks, blanks at the ends, letters
 * beyond Latin-1. Such characters, and `%` itself, travel percent-encoded.
 */
export function encodeToken(token: string): string {
  return token.replace(/[^!-$&-~]+/g, encodeURIComponent);
}

/** Takes the encoding away; what is no encoding stays as it is, so that a token written by hand works too. */
export function decodeToken(token: string): string {
  return token.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
