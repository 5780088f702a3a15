import type { Command, EditorView } from '@codemirror/view';

/** Ways through the filters that were entered before, the last one first. */
export interface FilterHistory {
  /** Shows the one before. */
  readonly older: Command;
  /** Shows the one after, and at the end what was there before the first step. */
  readonly newer: Command;
  /** Forgets where it is: the next step begins with the last one again. */
  readonly reset: () => void;
}

export function createFilterHistory(entries: () => readonly string[]): FilterHistory {
  /** How many steps back; 0 is what is being typed. */
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
      // The one that is there already is no step.
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
