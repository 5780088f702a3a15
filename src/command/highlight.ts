import picocolors from 'picocolors';
import { tokenize } from '../language/syntax/lexer.js';
import * as type from '../language/syntax/tokens.js';
import { isName, isOneOf } from '../language/syntax/tokens.js';
import { type Interface, clearScreenDown, cursorTo, moveCursor } from 'node:readline';

/** Colours a filter without changing its width: only colour codes are added. */
export type Highlighter = (text: string) => string;

/**
 * Creates a function that colours names, keywords, literals and invalid tokens. Without colour support it returns the string
 * unchanged.
 */
export function createHighlighter(hasColour: boolean): Highlighter {
  if (!hasColour) return (text) => text;
  const { cyan, green, magenta, red, yellow } = picocolors.createColors(true);
  const literals = [type.Text, type.Pointer, type.RawText];
  return (text) => {
    let painted = '';
    let at = 0;
    let isPart = false;
    for (const token of tokenize(text)) {
      painted += text.slice(at, token.startOffset);
      at = token.startOffset + token.image.length;
      const isWord = isName(token) && !isOneOf(token, type.Name) && !isPart;
      if (isWord) painted += magenta(token.image);
      else if (isOneOf(token, ...literals)) painted += green(token.image);
      else if (isOneOf(token, type.NumberLiteral)) painted += yellow(token.image);
      else if (type.isA(token, type.Infix)) painted += magenta(token.image);
      else if (isOneOf(token, type.Unknown)) painted += red(token.image);
      else painted += isName(token) ? cyan(token.image) : token.image;
      isPart = isOneOf(token, type.Dot);
    }
    return painted + text.slice(at);
  };
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/**
 * Repaints the line being typed in colours after each key. `highlight` must only add colours.
 *
 * @returns a function that ends the painting.
 */
export function paintWhileTyping(
  session: Interface,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  columns: () => number,
  highlight: Highlighter,
): () => void {
  let isSearching = false;
  const onKey = (_text: unknown, key: Key | undefined): void => {
    // While the history is searched, the search prompt replaces the line.
    if (key?.ctrl === true && (key.name === 'r' || key.name === 's')) isSearching = true;
    else if (key?.name === 'return' || key?.name === 'escape' || key?.ctrl === true) isSearching = false;
    if (isSearching || key?.name === 'return' || key?.name === 'enter') return;
    // Completion runs asynchronously.
    if (key?.name === 'tab') setImmediate(repaint);
    else repaint();
  };
  const repaint = (): void => {
    const { line } = session;
    const prompt = session.getPrompt();
    const length = prompt.length + line.length;
    // The cursor position is known only if each character takes one column; at the edge terminals differ.
    if (line === '' || !/^[\x20-\x7e]*$/.test(line) || length % columns() === 0) return;
    const cursor = session.getCursorPos();
    moveCursor(output, 0, -cursor.rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    output.write(prompt + highlight(line));
    moveCursor(output, 0, cursor.rows - Math.floor(length / columns()));
    cursorTo(output, cursor.cols);
  };
  input.on('keypress', onKey);
  return () => input.removeListener('keypress', onKey);
}
