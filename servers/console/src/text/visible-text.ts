import { invisibleCharacters } from 'tamis/internal';

/** A part of a text as it is shown: letters as they are, or a sign that nobody would see by the name of it. */
export interface TextPart {
  readonly text: string;
  /** Whether it stands for something that is not seen, and may turn what is around it. */
  readonly isSign: boolean;
}

/**
 * Cuts a text into what is seen and what is not: text of a job may hold signs that nobody sees, to look like another one. Line
 * ends and tabs are signs too, where a text stands in one line.
 *
 * @param hasLines whether line ends and tabs are seen: where they are drawn as such.
 */
export function visibleParts(text: string, hasLines = false): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: sign, index } of text.matchAll(invisibleCharacters)) {
    if (hasLines && (sign === '\n' || sign === '\t')) continue;
    if (index > at) parts.push({ text: text.slice(at, index), isSign: false });
    parts.push({ text: nameOf(sign), isSign: true });
    at = index + sign.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isSign: false });
  return parts;
}

function nameOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The beginning of a text, of at most so many UTF-16 units, and not the half of a letter. */
export function beginningOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** A text as it is seen, for where there is nothing but letters: an option, a name that screen readers tell. */
export function plainText(text: string, maxLength = 100): string {
  const cut = beginningOf(text, maxLength);
  const visible = visibleParts(cut).map(({ text: part }) => part);
  return `${visible.join('')}${cut.length < text.length ? '…' : ''}`;
}
