import { invisibleCharacters } from 'tamis/internal';

/**
 * Escapes untrusted strings for a terminal: control characters and direction marks become escapes such as `\x1b` and `\u202e`.
 * Used for all names and messages of jobs.
 */
export function sanitizeForTerminal(text: string): string {
  return text.replace(invisibleCharacters, escape);
}

/** Escapes strings with several lines, such as a filter error: line breaks are kept, tabs become spaces. */
export function sanitizeLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '    ')
    .split('\n')
    .map(sanitizeForTerminal)
    .join('\n');
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
