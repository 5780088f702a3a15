import { invisibleCharacters } from 'tamis/internal';

/**
 * Makes a text of somebody else's one that a terminal only shows: control characters and marks of direction are written
 * as escapes such as `\x1b` and `\u202e`. Names and messages of jobs are always shown so.
 */
export function sanitizeForTerminal(text: string): string {
  return text.replace(invisibleCharacters, escape);
}

/** The same for texts of several lines, such as the answer to a wrong filter: line breaks stay, tabs become blanks. */
export function sanitizeLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n').map(sanitizeForTerminal).join('\n');
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
