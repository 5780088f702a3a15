import {
  autocompletion,
  acceptCompletion,
  completionKeymap,
  completionStatus,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { Prec, type Extension } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';
import type { FilterLanguage, Offer } from './filter-language.js';

/** CodeMirror icons by kind of completion. */
const icons: Readonly<Record<Offer['kind'], string>> = {
  field: 'property',
  operator: 'function',
  keyword: 'keyword',
  value: 'text',
  binding: 'variable',
};

/** Kinds after which completion continues directly. A value completes a match, so typing may end there. */
const leadsOn: ReadonlySet<Offer['kind']> = new Set(['field', 'operator', 'keyword', 'binding']);

/** Offers completions at the cursor while typing and on Ctrl-Space. */
export function filterCompletion(language: () => FilterLanguage): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    // The list opens by itself at the start or inside of a word, not after a space that may end the filter.
    if (!context.explicit && !/[^\s)}]$|[\s([{]$/.test(text.slice(0, context.pos))) return null;
    const { from, to, items } = await language().complete(text, context.pos);
    if (context.aborted || items.length === 0) return null;
    const written = text.slice(from, to);
    if (items.length === 1 && items[0]?.insert === written) return null;
    return { from, to, options: items.map((item, index) => optionOf(item, index)), filter: false };
  };
  return [
    autocompletion({ override: [source], icons: true, activateOnTypingDelay: 80, maxRenderedOptions: 60 }),
    Prec.highest(keymap.of([{ key: 'Tab', run: acceptByTab }])),
    keymap.of(completionKeymap),
  ];
}

/** While a list is open Tab never leaves the box, not even if the list only just appeared. */
function acceptByTab(view: EditorView): boolean {
  return acceptCompletion(view) || completionStatus(view.state) === 'active';
}

function optionOf({ label, kind, insert, detail }: Offer, index: number): Completion {
  return {
    label,
    type: icons[kind],
    // The engine has already sorted them.
    boost: -Math.min(index, 99),
    ...(detail === '' ? {} : { detail }),
    apply(view: EditorView, completion: Completion, from: number, to: number): void {
      const rest = view.state.sliceDoc(to, to + 1);
      const spaced = leadsOn.has(kind) && !/[([]$/.test(insert) && rest === '' ? `${insert} ` : insert;
      view.dispatch({
        ...insertCompletionText(view.state, spaced, from, to),
        annotations: pickedCompletion.of(completion),
      });
      if (spaced !== insert) startCompletion(view);
    },
  };
}
