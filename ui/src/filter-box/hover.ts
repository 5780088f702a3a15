import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { FilterLanguage } from './filter-language.js';
import { problemAt } from './problems.js';

/** Shows the problem under the pointer, or a one-line description of the element. */
export function filterHover(language: () => FilterLanguage): Extension {
  return hoverTooltip(async (view, position) => {
    const text = view.state.doc.toString();
    const problem = problemAt(view, position);
    const note =
      problem === undefined
        ? await language()
            .hover(text, position)
            .catch(() => null)
        : { span: problem.span, text: problem.message };
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
