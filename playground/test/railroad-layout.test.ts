import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FilterNode } from '../src/protocol.js';
import { layOutRailroad, type RailBox } from '../src/view/railroad-layout.js';

const span = { start: 0, end: 0 };
const { node } = fc.letrec<{ node: FilterNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ maxLength: 60 }).map((text): FilterNode => ({ kind: 'match', text, span, children: [] })),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      text: fc.constant('and'),
      span: fc.constant(span),
      children: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constantFrom('not' as const, 'any' as const),
      text: fc.string({ maxLength: 60 }),
      span: fc.constant(span),
      children: fc.array(tie('node'), { minLength: 1, maxLength: 1 }),
    }),
  ),
}));

const overlap = (a: RailBox, b: RailBox): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('a railroad', () => {
  it('has a box for every match, inside the picture and without overlaps', () => {
    fc.assert(
      fc.property(node, (tree) => {
        const drawn = layOutRailroad(tree);
        if (drawn === null) return;
        const { width, height, boxes } = drawn;
        for (const box of boxes) {
          expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(
            true,
          );
        }
        const stations = boxes.filter(({ kind }) => kind === 'match');
        for (const [index, box] of stations.entries())
          expect(stations.slice(index + 1).some((other) => overlap(box, other))).toBe(false);
      }),
    );
  });

  it('returns null for a filter with too many parts', () => {
    const match: FilterNode = { kind: 'match', text: 'a == 1', span, children: [] };
    const tree: FilterNode = {
      kind: 'or',
      text: 'or',
      span,
      children: Array.from({ length: 150 }, () => match),
    };
    expect(layOutRailroad(tree)).toBeNull();
    expect(layOutRailroad(match)?.boxes).toHaveLength(1);
  });
});
