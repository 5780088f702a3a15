/**
 * The same text in the form that the JavaScript engine keeps for names. A part cut out of a longer text is an object of
 * its own; as a key, or compared with the short values that `JSON.parse` has made, it would be read character by
 * character every time. Property keys are kept once, so the text takes the way through one.
 */
export function internText(text: string): string {
  for (const key in { [text]: true }) return key;
  return text;
}
