import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState, StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
  type DecorationSet,
} from '@codemirror/view';
import { filterCompletion } from './completion.js';
import type { FilterLanguage, TextRange } from './filter-language.js';
import { createFilterHistory } from './history.js';
import { filterHover } from './hover.js';
import { plainInput } from './plain-input.js';
import { endsWriting, filterProblems, lookAgain } from './problems.js';
import { filterSyntax } from './syntax.js';
import { hostSheet } from '../scheme.js';
import { filterTheme } from './theme.js';

/** The properties of a filter box. Pass changed properties to `update`. */
export interface FilterBoxProps {
  /** Source of the filter. Set it to the value of `onChange` immediately: an older value would undo later typing. */
  readonly text: string;
  /** Label for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly language: FilterLanguage;
  /** Completion data, compared by identity: a new value validates the same source again. */
  readonly knowledge: unknown;
  /** Previously entered filters, newest first. Alt-Up and Alt-Down move through them. */
  readonly history: readonly string[];
  /** Range of the source to highlight; null for none. */
  readonly visible: TextRange | null;
  /** Default: false. */
  readonly isDisabled?: boolean;
  /** Whether an empty filter is invalid, for screen readers. Default: false. */
  readonly isRequired?: boolean;
  /** Whether the source has an error, for screen readers. Default: false. */
  readonly isInvalid?: boolean;
  /** Called on every change of the source, whatever its cause. */
  readonly onChange: (text: string) => void;
  /** Called when the user presses Enter. Shift-Enter inserts a line break. */
  readonly onEnter: (text: string) => void;
}

/** A field for one filter, in a shadow root: no styles leak in or out, and inline styles need not be allowed. */
export interface FilterBox {
  update(props: FilterBoxProps): void;
  /** Focuses the box. @param offset cursor position; defaults to the current one. */
  focus(offset?: number): void;
  destroy(): void;
}

const renderPart = StateEffect.define<TextRange | null>();
const renderedPart = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(completion, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(renderPart)) continue;
      const { length } = transaction.newDoc;
      const { value } = effect;
      if (value === null || value.start >= Math.min(value.end, length)) return Decoration.none;
      return Decoration.set(
        Decoration.mark({ class: 'cm-filter-shown' }).range(value.start, Math.min(value.end, length)),
      );
    }
    return transaction.docChanged ? Decoration.none : completion;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Creates a filter box in the open shadow root of an element, and that root if it does not exist. */
export function createFilterBox(host: HTMLElement, initial: FilterBoxProps): FilterBox {
  let props = initial;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [hostSheet()];
  const words = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: initial.text,
      extensions: [words.of(wordsOf(initial)), ...behaviour(() => props)],
    }),
  });
  return {
    update(next) {
      const last = props;
      props = next;
      if (described.some((name) => next[name] !== last[name]))
        view.dispatch({ effects: words.reconfigure(wordsOf(next)) });
      if (next.text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next.text } });
      if (next.visible !== last.visible) view.dispatch({ effects: renderPart.of(next.visible) });
      if (next.knowledge !== last.knowledge) lookAgain(view);
    },
    focus(offset) {
      if (offset !== undefined)
        view.dispatch({ selection: { anchor: Math.min(offset, view.state.doc.length) } });
      view.focus();
    },
    destroy() {
      view.destroy();
    },
  };
}

/** The properties that `wordsOf` reads. */
const described = ['label', 'placeholder', 'isDisabled', 'isRequired', 'isInvalid'] as const;

function wordsOf(props: FilterBoxProps): Extension {
  const { label, placeholder: words, isDisabled = false, isRequired = false, isInvalid = false } = props;
  return [
    placeholder(words),
    EditorView.contentAttributes.of({
      'aria-label': label,
      ...(isRequired ? { 'aria-required': 'true' } : {}),
      ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
      ...(isDisabled ? { 'aria-disabled': 'true' } : {}),
    }),
    EditorState.readOnly.of(isDisabled),
    EditorView.editable.of(!isDisabled),
  ];
}

function behaviour(props: () => FilterBoxProps): Extension[] {
  const language = (): FilterLanguage => props().language;
  const past = createFilterHistory(() => props().history);
  const enter = (view: EditorView): boolean => {
    past.reset();
    endsWriting(view);
    props().onEnter(view.state.doc.toString());
    return true;
  };
  const format = (view: EditorView): boolean => {
    void formatText(view, language());
    return true;
  };
  return [
    // The browser moves the cursor and deletes, as in any field. While open, the list of completions handles Enter and Tab.
    filterCompletion(language),
    keymap.of([
      { key: 'Enter', run: enter, shift: (view) => insertLine(view) },
      { key: 'Alt-ArrowUp', run: past.older },
      { key: 'Alt-ArrowDown', run: past.newer },
      { key: 'Shift-Alt-f', run: format },
      ...closeBracketsKeymap,
      ...historyKeymap,
    ]),
    plainInput,
    filterProblems(language),
    filterHover(language),
    filterSyntax,
    closeBrackets(),
    history(),
    highlightSpecialChars(),
    renderedPart,
    EditorView.lineWrapping,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) props().onChange(update.state.doc.toString());
    }),
    filterTheme,
  ];
}

function insertLine(view: EditorView): boolean {
  view.dispatch(view.state.replaceSelection('\n'));
  return true;
}

async function formatText(view: EditorView, language: FilterLanguage): Promise<void> {
  const text = view.state.doc.toString();
  const formatted = await language.format(text);
  if (view.state.doc.toString() !== text || formatted === text) return;
  view.dispatch({
    changes: { from: 0, to: text.length, insert: formatted },
    selection: { anchor: formatted.length },
  });
}
