import type { FilterNode } from '../protocol.js';
import type { Playground } from '../state/playground.js';
import { layOutRailroad, type RailBox } from './railroad-layout.js';

/** The filter as a railroad and as a tree. */
export function DiagramPanel({ playground }: { readonly playground: Playground }) {
  const tree = playground.inspection.value?.tree;
  if (tree === undefined) return <p class="empty">Write a filter to see it drawn.</p>;
  return (
    <>
      <h2>Railroad</h2>
      <p class="quiet">Rows enter on the left; those that come out on the right match.</p>
      <RailroadPicture tree={tree} playground={playground} />
      <h2>Tree</h2>
      <ul class="tree">
        <TreePart node={tree} playground={playground} />
      </ul>
    </>
  );
}

function RailroadPicture({
  tree,
  playground,
}: {
  readonly tree: FilterNode;
  readonly playground: Playground;
}) {
  const railroad = layOutRailroad(tree);
  if (railroad === null) return <p class="quiet">This filter has too many parts for a picture.</p>;
  const { width, height, boxes, rails } = railroad;
  return (
    <div
      class="railroad"
      tabIndex={0}
      role="group"
      aria-label="The filter as a railroad; the tree below says the same"
    >
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {rails.map((path, index) => (
          <path key={index} d={path} />
        ))}
        {boxes.map((box, index) => (
          <Station key={index} box={box} playground={playground} />
        ))}
      </svg>
    </div>
  );
}

function Station({ box, playground }: { readonly box: RailBox; readonly playground: Playground }) {
  const { x, y, width, height, kind, text, full, node } = box;
  const isFrame = kind !== 'match';
  return (
    <g
      class={`station ${kind}`}
      onMouseEnter={() => {
        playground.highlighted.value = node.span;
      }}
      onMouseLeave={() => {
        playground.highlighted.value = null;
      }}
    >
      <title>{full}</title>
      <rect x={x} y={y} width={width} height={height} rx={isFrame ? 6 : 4} />
      <text x={isFrame ? x + 8 : x + width / 2} y={isFrame ? y + 13 : y + height / 2 + 4}>
        {text}
      </text>
    </g>
  );
}

function TreePart({ node, playground }: { readonly node: FilterNode; readonly playground: Playground }) {
  const render = (): void => {
    playground.highlighted.value = node.span;
  };
  const hide = (): void => {
    playground.highlighted.value = null;
  };
  return (
    <li>
      <button type="button" class="part" onFocus={render} onBlur={hide} onMouseEnter={render} onMouseLeave={hide}>
        <code class={node.kind === 'match' ? undefined : 'word'}>{node.text}</code>
      </button>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child, index) => (
            <TreePart key={index} node={child} playground={playground} />
          ))}
        </ul>
      )}
    </li>
  );
}
