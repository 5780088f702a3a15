const shortEscapes = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\u000b', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

const unprintable = /^[\p{C}\p{Z}]$/u;

/** Go's `%q`: returns a double-quoted literal with non-printable characters escaped. */
export function quoteGo(text: string): string {
  let quoted = '"';
  for (const character of text) quoted += shortEscapes.get(character) ?? escapeUnprintable(character);
  return `${quoted}"`;
}

function escapeUnprintable(character: string): string {
  if (character === ' ' || !unprintable.test(character)) return character;
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`;
  if (point >= 0xd800 && point <= 0xdfff) return '\ufffd';
  return point < 0x10000
    ? `\\u${point.toString(16).padStart(4, '0')}`
    : `\\U${point.toString(16).padStart(8, '0')}`;
}
