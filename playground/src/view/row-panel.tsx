import type { ExplainedNode } from '../protocol.js';
import type { Playground } from '../state/playground.js';
import { countText } from './numbers.js';

/** Why the chosen row matches or does not, and the row itself. */
export function RowPanel({ playground }: { readonly playground: Playground }) {
  const detail = playground.detail.value;
  if (detail === null)
    return (
      <p class="empty">Choose a row, with the pointer or with Enter, to see which clause decided about it.</p>
    );
  const { index, explained, decidedBy, json, isCut } = detail;
  return (
    <>
      <h2>
        Row {countText(index + 1)} {explained !== null && <Verdict node={explained} />}
      </h2>
      {decidedBy.length > 0 && (
        <ul class="plain">
          {decidedBy.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {explained !== null && (
        <ul class="tree" aria-label="The filter, part by part">
          <ExplainedPart node={explained} playground={playground} />
        </ul>
      )}
      <h2>As JSON</h2>
      <pre class="json" tabIndex={0}>
        {json}
        {isCut && '\n… cut here'}
      </pre>
    </>
  );
}

function Verdict({ node }: { readonly node: ExplainedNode }) {
  const [name, words] = verdictOf(node);
  return <span class={`verdict ${name}`}>{words}</span>;
}

function verdictOf({ matches, isNeeded }: ExplainedNode): readonly [string, string] {
  if (matches === true) return ['true', 'true'];
  if (matches === false) return ['false', 'false'];
  return isNeeded ? ['failed', 'failed'] : ['skipped', 'not needed'];
}

function ExplainedPart({
  node,
  playground,
}: {
  readonly node: ExplainedNode;
  readonly playground: Playground;
}) {
  const render = (): void => {
    playground.highlighted.value = node.span;
  };
  const hide = (): void => {
    playground.highlighted.value = null;
  };
  return (
    <li>
      <button type="button" class="part" onFocus={render} onBlur={hide} onMouseEnter={render} onMouseLeave={hide}>
        <Verdict node={node} /> <code>{node.text}</code>
        {node.note !== '' && <span class="quiet"> {node.note}</span>}
      </button>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child, index) => (
            <ExplainedPart key={index} node={child} playground={playground} />
          ))}
        </ul>
      )}
    </li>
  );
}
