import { sanitizeForTerminal } from './escape-terminal.js';

/** Converts untrusted bytes for a terminal, chunk by chunk. */
export type TerminalText = ReturnType<typeof createTerminalText>;

/**
 * Matches colours and font weights, which only change the look. Bounded, so that an incomplete sequence does not block the
 * output.
 */
const escape = '\u001b';
const cached = new RegExp(`${escape}\\[[0-9;:]{0,64}m|\\r?\\n|\\t`, 'gu');
const unfinished = new RegExp(`(?:${escape}(?:\\[[0-9;:]{0,64})?|\\r)$`, 'u');
const reset = `${escape}[0m`;

/**
 * Formats program output for a terminal: its colours, line breaks and tabs are kept. All other control sequences are escaped, so
 * that programs cannot hide or forge output.
 */
export function createTerminalText() {
  const decoder = new TextDecoder();
  let buffered = '';
  let isStyled = false;

  function print(text: string): string {
    let printed = '';
    let at = 0;
    for (const match of text.matchAll(cached)) {
      printed += sanitizeForTerminal(text.slice(at, match.index)) + (match[0] === '\r\n' ? '\n' : match[0]);
      if (match[0].startsWith(escape)) isStyled = match[0] !== reset;
      at = match.index + match[0].length;
    }
    return printed + sanitizeForTerminal(text.slice(at));
  }

  return {
    /** Returns the output for further bytes; possibly incomplete sequences are held back. */
    add(bytes: Uint8Array): string {
      const text = buffered + decoder.decode(bytes, { stream: true });
      buffered = unfinished.exec(text)?.[0] ?? '';
      return print(text.slice(0, text.length - buffered.length));
    },
    /** Returns the held-back part, with colours reset. */
    end(): string {
      const rest = print(buffered + decoder.decode());
      buffered = '';
      return `${rest}${isStyled ? reset : ''}`;
    },
  };
}
