/** What steers a terminal or changes the order of what stands beside it, and what nobody sees. */
const steering =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{ad}\u{200b}\u{2060}-\u{2064}\u{feff}\u{e0000}-\u{e007f}]/gu;

/**
 * Makes a text of somebody else's one that a terminal only shows: control characters and marks of direction are written
 * as escapes such as `\x1b` and `\u202e`. Names and messages of jobs are always shown so.
 */
export function harmless(text: string): string {
  return text.replace(steering, escape);
}

/** The same for texts of several lines, such as the answer to a wrong filter: line breaks stay, tabs become blanks. */
export function harmlessLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n').map(harmless).join('\n');
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
