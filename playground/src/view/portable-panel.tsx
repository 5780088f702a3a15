import type { Span } from 'tamis';
import type { FilterNode } from '../protocol.js';
import type { Playground } from '../state/playground.js';

/** The filter at level 0 of the language, for programs that use go-bexpr. */
export function PortablePanel({ playground }: { readonly playground: Playground }) {
  const inspection = playground.inspection.value;
  if (inspection === null) return <p class="empty">Write a filter to see it at level 0.</p>;
  const { portable, tree } = inspection;
  if (portable.ok) {
    return (
      <>
        <h2>At level 0, as go-bexpr reads it</h2>
        <pre class="json" tabIndex={0}>
          {portable.text}
        </pre>
      </>
    );
  }
  return (
    <>
      <h2>Level 0 cannot say this</h2>
      <ul class="plain">
        {portable.reasons.map(({ span, message, hint }, index) => (
          <li key={index}>
            <code>{clauseAt(tree, span).text}</code> <span class="warning">{message}</span>{' '}
            {hint !== null && <span class="quiet">{hint}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The smallest part of a filter that has a place in it. */
function clauseAt(node: FilterNode, place: Span): FilterNode {
  const inner = node.children.find(({ span }) => span.start <= place.start && place.end <= span.end);
  return inner === undefined ? node : clauseAt(inner, place);
}
