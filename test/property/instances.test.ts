import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceKindOf, type InstanceType } from '../../src/language/values/instance/index.js';
import { drawn } from '../support/drawn.js';
import { drawScalar } from '../support/drawn-shape.js';
import { Values } from '../support/drawn-values.js';
import {
  compareInstances,
  isInBlock,
  isInstanceKind,
  literalBlock,
  literalInstance,
  rowInstance,
} from '../support/oracle-instance.js';
import type { OracleType } from '../support/oracle-value.js';
import { scaled } from '../support/property-runs.js';

/** A kind, three values of rows and two literals that are close to one another, and a block. */
const cases = drawn((draw) => {
  let type: OracleType = drawScalar(draw);
  while (!isInstanceKind(type)) type = draw.below(2) === 0 ? { kind: 'time' } : { kind: 'ip', port: true };
  const values = new Values(draw);
  const row = (): unknown => (draw.oneIn(6) ? values.odd() : values.scalar(type));
  return { type, rows: [row(), row()] as const, literal: values.literal(type), block: values.block() };
});

function signOf(order: number): number {
  return Math.sign(order) + 0;
}

describe('instances, as a slow and simple reading has them', () => {
  it('are read from literals and rows, compared and sorted alike', () => {
    let compared = 0;
    fc.assert(
      fc.property(cases, ({ type, rows: [first, second], literal, block }) => {
        const note = inspect({ type, first, second, literal, block });
        const kind = instanceKindOf(type as InstanceType);
        if (kind === null) throw new Error(`no kind: ${note}`);
        const operand = kind.parse(literal);
        const expected = literalInstance(type, literal);
        expect(operand === null, note).toBe(expected === null);
        const [one, other] = [kind.read(first), kind.read(second)];
        const [left, right] = [rowInstance(type, first), rowInstance(type, second)];
        expect([one === null, other === null], note).toEqual([left === null, right === null]);
        if (one === null || left === null) return;
        compared += 1;
        if (operand !== null && expected !== null) {
          expect(signOf(kind.compare(one, operand)), note).toBe(
            signOf(compareInstances(left, expected, true)),
          );
        }
        if (other !== null && right !== null) {
          expect(signOf(kind.sort(one, other)), note).toBe(signOf(compareInstances(left, right, false)));
        }
        const network = kind.blocks?.parse(block) ?? null;
        const expectedNetwork = literalBlock(type, block);
        expect(network === null, note).toBe(expectedNetwork === null);
        if (kind.blocks === null || network === null || expectedNetwork === null) return;
        expect(kind.blocks.storedAs(network, one), note).toBe(isInBlock(left, expectedNetwork));
      }),
      { numRuns: 3_000 },
    );
    expect(compared).toBeGreaterThan(scaled(1_000));
  });
});
