/** Whether a character can begin, continue and end a word; two such characters in a row are one word. */
export function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x2f && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f
  );
}

/** Whether a character can separate tokens. Only four can; U+00A0, for example, cannot. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/** Returns the end of the run of word characters and dots that begins at `at`. */
export function wordEnd(text: string, at: number): number {
  let end = at;
  while (isWordCharacter(text.charCodeAt(end)) || text.charCodeAt(end) === 0x2e) end += 1;
  return end;
}
