import type { Playground } from '../state/playground.js';

/** The filter at level 0 of the language, for programs that use go-bexpr. */
export function PortablePanel({ playground }: { readonly playground: Playground }) {
  const portable = playground.inspection.value?.portable;
  if (portable === undefined) return <p class="empty">Write a filter to see it at level 0.</p>;
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
            <code>{playground.text.value.slice(span.start, span.end)}</code>{' '}
            <span class="warning">{message}</span> {hint !== null && <span class="quiet">{hint}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
