import type { Interface } from 'node:readline';
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import type { Highlighter } from './highlight.js';

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
