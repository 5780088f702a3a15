import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { FilterLanguage } from './filter-language.js';

/** Shows a one-line description of the element under the pointer. */
export function filterHover(language: () => FilterLanguage): Extension {
  return hoverTooltip(async (view, position) => {
    const text = view.state.doc.toString();
    const note = await language().hover(text, position);
    if (note === null || view.state.doc.toString() !== text) return null;
    return {
      pos: note.span.start,
      end: note.span.end,
      above: true,
      create() {
        const dom = document.createElement('div');
        dom.className = 'filter-note';
        dom.textContent = note.text;
        return { dom };
      },
    };
  });
}
