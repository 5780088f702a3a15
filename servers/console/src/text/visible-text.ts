import { invisibleCharacters } from 'tamis/internal';

/** A part of a displayed string: visible characters unchanged, or the name of an invisible character. */
export interface TextPart {
  readonly text: string;
  /** Whether it represents an invisible character, which may change the direction of its surroundings. */
  readonly isInvisible: boolean;
}

/**
 * Splits a string into visible and invisible parts: strings of a job may contain invisible characters to imitate other strings.
 * Line breaks and tabs count as invisible in single-line strings.
 *
 * @param hasLines whether line breaks and tabs count as visible because they are rendered as such.
 */
export function visibleParts(text: string, hasLines = false): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: sign, index } of text.matchAll(invisibleCharacters)) {
    if (hasLines && (sign === '\n' || sign === '\t')) continue;
    if (index > at) parts.push({ text: text.slice(at, index), isInvisible: false });
    parts.push({ text: nameOf(sign), isInvisible: true });
    at = index + sign.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isInvisible: false });
  return parts;
}

function nameOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns the start of a string, up to a maximum of UTF-16 units, without splitting a character. */
export function beginningOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** Returns a string with invisible characters made visible, for plain contexts: an option, a name for screen readers. */
export function plainText(text: string, maxLength = 100): string {
  const cut = beginningOf(text, maxLength);
  const visible = visibleParts(cut).map(({ text: part }) => part);
  return `${visible.join('')}${cut.length < text.length ? '…' : ''}`;
}
