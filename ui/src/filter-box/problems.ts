import { linter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  keymap,
  showPanel,
  ViewPlugin,
  type EditorView,
  type Panel,
  type ViewUpdate,
} from '@codemirror/view';
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
const needsRefresh = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((effect) => effect.is(knowMore) || effect.is(endWriting)));
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

/** Underlines problems, and lists them below the box with corrections as buttons. */
export function filterProblems(language: () => FilterLanguage): Extension {
  const look = async (view: EditorView): Promise<Diagnostic[]> => {
    const text = view.state.doc.toString();
    const marks = await language().problems(text);
    if (view.state.doc.toString() !== text) return [];
    const said = view.state.field(writingField) ? marks.filter((mark) => !isBeingWritten(mark, view)) : marks;
    view.dispatch({ effects: setMarks.of(said) });
    return said.map((mark) => diagnosticOf(mark, text.length));
  };
  return [
    writingField,
    writingEnds,
    marksField,
    linter(look, { delay, needsRefresh }),
    keymap.of([...lintKeymap, { key: 'Mod-.', run: applyFirstFix }]),
  ];
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

function diagnosticOf({ severity, span, message, hint, suggestions }: Mark, length: number): Diagnostic {
  const to = Math.min(span.end, length);
  return {
    // A mark at the end of an unfinished source covers the character before it, so that it is visible.
    from: span.start < to ? span.start : Math.max(0, to - 1),
    to,
    severity,
    message: hint === null ? message : `${message}\n${hint}`,
    actions: suggestions.slice(0, maxFixes).map((fix) => ({
      name: titleOf(fix),
      apply: (view) => {
        applyFix(view, fix);
      },
    })),
  };
}

/** Applies the first available correction, for Ctrl-. as well. */
function applyFirstFix(view: EditorView): boolean {
  const fix = view.state.field(marksField).flatMap((mark) => mark.suggestions)[0];
  if (fix === undefined) return false;
  applyFix(view, fix);
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
  const isTouched = matchMedia('(hover: none) and (pointer: coarse)').matches;
  if (marks.length === 0) dom.append(element('p', 'filter-keys', isTouched ? touchHelp : keysHelp));
  dom.append(...marks.slice(0, maxListed).map((mark) => problemLine(view, mark)));
  if (marks.length > maxListed)
    dom.append(element('p', 'filter-more', `and ${marks.length - maxListed} more`));
  return { dom, top: false };
}

function problemLine(view: EditorView, { severity, message, hint, suggestions }: Mark): HTMLElement {
  const line = element('p', `filter-problem filter-${severity}`, '');
  line.append(
    element('span', 'filter-severity', severity === 'error' ? 'Error' : 'Note'),
    element('span', 'filter-message', message),
  );
  if (hint !== null) line.append(element('span', 'filter-hint', hint));
  for (const fix of suggestions.slice(0, maxFixes)) {
    const button = element('button', 'filter-fix', titleOf(fix));
    button.setAttribute('type', 'button');
    button.addEventListener('click', () => {
      applyFix(view, fix);
    });
    line.append(button);
  }
  return line;
}

/** Creates an element with text content: filters and rows are never parsed as markup. */
function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
