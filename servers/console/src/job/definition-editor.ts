import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser } from '@lezer/json';
import { plainInput } from '@tamis/filter-box/box';
import { isHcl } from './definition-source.js';
import { hcl } from './hcl-language.js';

/**
 * An editor for the definition of a job. It is in a shadow root, so that the content security policy need not allow inline
 * styles.
 */
export type DefinitionEditor = ReturnType<typeof createDefinitionEditor>;

export interface DefinitionEditorProps {
  readonly text: string;
  /** Label for screen readers. */
  readonly label: string;
  /** Called on every change of the content. */
  readonly onChange: () => void;
}

/** Creates an editor in an element, which must not have a shadow root yet. Tab leaves it. */
export function createDefinitionEditor(host: HTMLElement, { text, label, onChange }: DefinitionEditorProps) {
  const root = host.attachShadow({ mode: 'open' });
  const language = new Compartment();
  let isHclView = isHcl(text);
  /** Highlights the content by its current language. */
  const follow = (now: string): void => {
    if (isHcl(now) === isHclView) return;
    isHclView = !isHclView;
    view.dispatch({ effects: language.reconfigure(languageOf(now)) });
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        language.of(languageOf(text)),
        plainInput,
        bracketMatching(),
        // Direction marks are shown visibly.
        highlightSpecialChars(),
        syntaxHighlighting(colours),
        look,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (!docChanged) return;
          follow(view.state.doc.toString());
          onChange();
        }),
      ],
    }),
  });
  return {
    text: (): string => view.state.doc.toString(),
    destroy: (): void => {
      view.destroy();
    },
  };
}

function languageOf(text: string): Extension {
  return isHcl(text) ? hcl : json();
}

/** Fields of a job that the cluster writes, omitted in submissions. */
const writtenByCluster: ReadonlySet<string> = new Set([
  ...['Status', 'StatusDescription', 'Stable', 'Version', 'SubmitTime', 'VersionTag'],
  ...['CreateIndex', 'ModifyIndex', 'JobModifyIndex', 'Dispatched', 'DispatchIdempotencyToken'],
  ...['SchedulerTokenID', 'ParentID'],
]);

/**
 * Returns the definition of a job from the JSON that the agent sent. It is cut out instead of being serialised again, so that
 * integers stay exact.
 */
export function definitionOf(text: string): string {
  const top = parser.parse(text).topNode.getChild('Object');
  if (top === null) return text;
  const retained = top.getChildren('Property').flatMap((property) => {
    const name = property.getChild('PropertyName');
    const isOurs = name !== null && !writtenByCluster.has(String(JSON.parse(text.slice(name.from, name.to))));
    return isOurs ? [text.slice(property.from, property.to)] : [];
  });
  return `{\n${indent}${retained.join(`,\n${indent}`)}\n}\n`;
}

/** The indentation of the agent's output. */
const indent = '    ';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning)' },
  { tag: [tags.punctuation, tags.separator, tags.comment], color: 'var(--quiet)' },
]);

const look = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '12px',
    lineHeight: '1.55',
    maxHeight: '65vh',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--quiet)', border: '0' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--accent)',
  },
});
