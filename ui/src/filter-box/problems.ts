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

/** Milliseconds of rest after which a text is looked at. */
const delay = 120;
/** Milliseconds of rest after which a word under the cursor counts as written: until then it is no mistake. */
const writingTime = 1_500;
/** Most problems that the panel below the text lists; all are underlined. */
const maxListed = 3;
/** Most corrections of one problem. */
const maxFixes = 3;

const keysHelp =
  'Ctrl-Space completes, Ctrl-. corrects, Alt-↑ goes back to earlier filters, Shift-Alt-F formats';
/** Instead of the keys, on screens that are touched. */
const touchHelp = 'Completions and corrections appear as you type';

/** The language service returns different results from now on. */
const knowMore = StateEffect.define<null>();
const needsRefresh = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((effect) => effect.is(knowMore) || effect.is(endWriting)));
/** The user has stopped typing: a pause, Enter, or the focus is elsewhere. */
const endWriting = StateEffect.define<null>();
const setMarks = StateEffect.define<readonly Mark[]>();

/** Whether the user is typing: from a change of theirs until `endWriting`. */
const writingField = StateField.define<boolean>({
  create: () => false,
  update(isWriting, transaction) {
    if (transaction.effects.some((effect) => effect.is(endWriting))) return false;
    if (!transaction.docChanged) return isWriting;
    return transaction.isUserEvent('input') || transaction.isUserEvent('delete');
  },
});

/** Ends the writing after a rest, and where the cursor leaves the box. */
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

/** Says what is wrong from now on, the word under the cursor included. */
export function endsWriting(view: EditorView): void {
  if (view.state.field(writingField)) view.dispatch({ effects: endWriting.of(null) });
}

/** The problems of the text as it is; those of an older text move along with it until they are looked at again. */
const marksField = StateField.define<readonly Mark[]>({
  create: () => [],
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    // A text that is changed has other places: what is shown of it waits for the next look.
    return transaction.docChanged && marks.length > 0
      ? marks.map((mark) => ({ ...mark, suggestions: [] }))
      : marks;
  },
  provide: (field) =>
    // Always rendered: a box that grows and shrinks at every key would move everything below it.
    showPanel.from(field, (marks) => (view) => problemPanel(view, marks)),
});

/** Underlines, and below the text what is wrong with it and the corrections as buttons. */
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

/** Whether a mistake is one of the word under the cursor, or of what is to follow it. */
function isBeingWritten({ severity, span }: Mark, { state }: EditorView): boolean {
  const { head } = state.selection.main;
  const text = state.doc.toString();
  const wordStart = head - (/[^\s()[\]{},]*$/.exec(text.slice(0, head))?.[0].length ?? 0);
  // What follows may be a quote or a parenthesis that the box itself has closed.
  const rest = /^[\s"'`)\]}]*/.exec(text.slice(head))?.[0].length ?? 0;
  return severity === 'error' && span.end >= wordStart && span.start <= head + rest;
}

/** Looks at the text again, as where the schema has changed. */
export function lookAgain(view: EditorView): void {
  view.dispatch({ effects: knowMore.of(null) });
}

function diagnosticOf({ severity, span, message, hint, suggestions }: Mark, length: number): Diagnostic {
  const to = Math.min(span.end, length);
  return {
    // A mark at the end of a text that is not finished covers the sign before it, so that it can be seen.
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

/** Corrects the first problem that has a correction, as Ctrl-. does. */
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

/** An element with text: nothing of a filter or of rows is ever read as markup. */
function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
