import { StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  keymap,
  showPanel,
  ViewPlugin,
  type DecorationSet,
  type Panel,
} from '@codemirror/view';
import { createNode } from '../create-node.js';
import type { FilterLanguage, Fix, Mark } from './filter-language.js';

/** Idle time before a source is validated, in ms. */
const delay = 120;
/** Idle time after which a word at the cursor counts as complete, in ms. Until then it is not an error. */
const writingTime = 1_500;
/** Maximum number of problems listed below the box; all are underlined. */
const maxListed = 3;
/** Maximum number of corrections per problem. */
const maxFixes = 3;

const keysHelp =
  'Ctrl-Space completes, Ctrl-. corrects, Alt-↑ goes back to earlier filters, Shift-Alt-F formats';
/** Shown instead of the keys on touch screens. */
const touchHelp = 'Completions and corrections appear as you type';

/** Signals that the language service returns different results from now on. */
const knowMore = StateEffect.define<null>();
/** Signals that the user has stopped typing: after a pause, on Enter, or when the focus leaves. */
const endWriting = StateEffect.define<null>();
const setMarks = StateEffect.define<readonly Mark[]>();

/** Whether the user is typing: from a change until `endWriting`. */
const writingField = StateField.define<boolean>({
  create: () => false,
  update(isWriting, transaction) {
    if (transaction.effects.some((effect) => effect.is(endWriting))) return false;
    if (!transaction.docChanged) return isWriting;
    return transaction.isUserEvent('input') || transaction.isUserEvent('delete');
  },
});

/** Ends typing after an idle time, and when the focus leaves the box. */
const writingEnds = ViewPlugin.define((view) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const endAfter = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      endsWriting(view);
    }, milliseconds);
  };
  return {
    update({ docChanged, focusChanged }) {
      if (!view.state.field(writingField)) clearTimeout(timer);
      else if (docChanged) endAfter(writingTime);
      else if (focusChanged && !view.hasFocus) endAfter(0);
    },
    destroy() {
      clearTimeout(timer);
    },
  };
});

/** Shows all problems from now on, including the word at the cursor. */
export function endsWriting(view: EditorView): void {
  if (view.state.field(writingField)) view.dispatch({ effects: endWriting.of(null) });
}

/** The problems of the current source. Those of an older source move along until it is validated again. */
const marksField = StateField.define<readonly Mark[]>({
  create: () => [],
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    // Positions have changed, so the display waits for the next validation.
    return transaction.docChanged && marks.length > 0
      ? marks.map((mark) => ({ ...mark, suggestions: [] }))
      : marks;
  },
  provide: (field) =>
    // Always rendered: a box that changes size on every key would move everything below it.
    showPanel.from(field, (marks) => (view) => problemPanel(view, marks)),
});

/** The underlines of the problems. They move with later edits. */
const underlines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(current, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setMarks)) return underline(effect.value, transaction.newDoc.length);
    return current.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function underline(marks: readonly Mark[], length: number): DecorationSet {
  const ranges = marks.flatMap(({ severity, span }) => {
    const to = Math.min(span.end, length);
    // A mark at the end of an unfinished source covers the character before it, so that it is visible.
    const from = span.start < to ? span.start : Math.max(0, to - 1);
    return from < to ? [Decoration.mark({ class: `filter-mark-${severity}` }).range(from, to)] : [];
  });
  return Decoration.set(ranges, true);
}

/** Validates the source after an idle time. */
function validation(language: () => FilterLanguage): Extension {
  return ViewPlugin.define((view) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const validate = async (): Promise<void> => {
      const text = view.state.doc.toString();
      const marks = await language()
        .problems(text)
        .catch(() => []);
      if (timer === undefined || view.state.doc.toString() !== text) return;
      const isWriting = view.state.field(writingField);
      view.dispatch({
        effects: setMarks.of(isWriting ? marks.filter((mark) => !isBeingWritten(mark, view)) : marks),
      });
    };
    const start = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void validate(), delay);
    };
    start();
    return {
      update({ docChanged, transactions }) {
        const effects = transactions.flatMap((each) => each.effects);
        if (docChanged || effects.some((each) => each.is(knowMore) || each.is(endWriting))) start();
      },
      destroy() {
        clearTimeout(timer);
        timer = undefined;
      },
    };
  });
}

/** Underlines problems, and lists them below the box with corrections as buttons. */
export function filterProblems(language: () => FilterLanguage): Extension {
  return [
    writingField,
    writingEnds,
    marksField,
    underlines,
    validation(language),
    keymap.of([
      { key: 'Mod-.', run: applyFirstFix },
      { key: 'F8', run: selectNextProblem },
    ]),
  ];
}

/** Returns the problem at a position; undefined if there is no problem. */
export function problemAt({ state }: EditorView, position: number): Mark | undefined {
  return state.field(marksField).find(({ span }) => span.start <= position && position <= span.end);
}

/** Whether a mistake concerns the word at the cursor, or what follows it. */
function isBeingWritten({ severity, span }: Mark, { state }: EditorView): boolean {
  const { head } = state.selection.main;
  const text = state.doc.toString();
  const wordStart = head - (/[^\s()[\]{},]*$/.exec(text.slice(0, head))?.[0].length ?? 0);
  // The rest may be a quote or parenthesis that the box has inserted.
  const rest = /^[\s"'`)\]}]*/.exec(text.slice(head))?.[0].length ?? 0;
  return severity === 'error' && span.end >= wordStart && span.start <= head + rest;
}

/** Validates the source again, for example after a change of the schema. */
export function lookAgain(view: EditorView): void {
  view.dispatch({ effects: knowMore.of(null) });
}

/** Applies the first available correction, for Ctrl-. as well. */
function applyFirstFix(view: EditorView): boolean {
  const fix = view.state.field(marksField).flatMap((mark) => mark.suggestions)[0];
  if (fix === undefined) return false;
  applyFix(view, fix);
  return true;
}

/** Selects the problem after the cursor; after the last one, the first one. */
function selectNextProblem(view: EditorView): boolean {
  const marks = view.state.field(marksField);
  const mark = marks.find(({ span }) => span.start > view.state.selection.main.from) ?? marks[0];
  if (mark === undefined) return false;
  const { length } = view.state.doc;
  const { start, end } = mark.span;
  view.dispatch({ selection: { anchor: Math.min(start, length), head: Math.min(end, length) } });
  return true;
}

function applyFix(view: EditorView, { span, replacement }: Fix): void {
  const { length } = view.state.doc;
  const from = Math.min(span.start, length);
  view.dispatch({
    changes: { from, to: Math.min(Math.max(from, span.end), length), insert: replacement },
    selection: { anchor: from + replacement.length },
    userEvent: 'input.complete',
  });
  view.focus();
}

function titleOf({ title, replacement }: Fix): string {
  return title === '' ? `Write ${replacement}` : title;
}

function problemPanel(view: EditorView, marks: readonly Mark[]): Panel {
  const dom = document.createElement('div');
  dom.className = 'filter-problems';
  dom.setAttribute('role', 'status');
  if (marks.length === 0) {
    const help = createNode('p', 'filter-keys', '');
    help.append(
      createNode('span', 'filter-keyboard', keysHelp),
      createNode('span', 'filter-touch', touchHelp),
    );
    dom.append(help);
  }
  dom.append(...marks.slice(0, maxListed).map((mark) => problemLine(view, mark)));
  if (marks.length > maxListed)
    dom.append(createNode('p', 'filter-more', `and ${marks.length - maxListed} more`));
  return { dom, top: false };
}

function problemLine(view: EditorView, { severity, message, hint, suggestions }: Mark): HTMLElement {
  const line = createNode('p', `filter-problem filter-${severity}`, '');
  line.append(
    createNode('span', 'filter-severity', severity === 'error' ? 'Error' : 'Note'),
    createNode('span', 'filter-message', message),
  );
  if (hint !== null) line.append(createNode('span', 'filter-hint', hint));
  for (const fix of suggestions.slice(0, maxFixes)) {
    const button = createNode('button', 'filter-fix', titleOf(fix));
    button.setAttribute('type', 'button');
    button.addEventListener('click', () => {
      applyFix(view, fix);
    });
    line.append(button);
  }
  return line;
}
