import type { Command, EditorView } from '@codemirror/view';

/** Commands to move through previously entered filters, newest first. */
export interface FilterHistory {
  /** Shows the previous filter. */
  readonly older: Command;
  /** Shows the next filter, and finally the original input. */
  readonly newer: Command;
  /** Resets the position: the next step starts at the newest filter again. */
  readonly reset: () => void;
}

export function createFilterHistory(entries: () => readonly string[]): FilterHistory {
  /** Number of steps back; 0 is the current input. */
  let steps = 0;
  let draft = '';
  const render = (view: EditorView, text: string): void => {
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: text.length },
    });
  };
  return {
    older(view) {
      // A filter equal to the current one is skipped.
      const current = view.state.doc.toString();
      const begin = steps === 0 && entries()[0] === current ? 1 : steps;
      const entry = entries()[begin];
      if (entry === undefined) return true;
      if (steps === 0) draft = current;
      render(view, entry);
      steps = begin + 1;
      return true;
    },
    newer(view) {
      if (steps === 0) return true;
      steps -= 1;
      const entry = entries()[steps - 1];
      render(view, steps === 0 || entry === undefined ? draft : entry);
      return true;
    },
    reset() {
      steps = 0;
    },
  };
}
