import { describe, expect, it } from 'vitest';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape, type NodeInput } from '@tamis/scheduler-model/node.js';
import { meets } from '@tamis/scheduler-placement/placement/constraint.js';
import { resolveTarget } from '@tamis/scheduler-model/target.js';
import { matchesGlob } from '@tamis/scheduler-placement/placement/candidates.js';

const given: NodeInput = {
  ID: 'id-1',
  Name: 'n1',
  Datacenter: 'dc1',
  NodeClass: 'gpu',
  NodePool: 'edge',
  Attributes: {
    'kernel.name': 'linux',
    'kernel.version': '5.10.0-28',
    'driver.docker.version': '26.1.4',
    beta: '2.0.0-beta.2',
    cores: '16',
    list: 'a, b,c',
  },
  Meta: { rack: 'r9' },
};
const node = completeShape(nodeShape, given);

describe('a target', () => {
  it.each([
    ['${node.unique.id}', 'id-1'],
    ['${node.unique.name}', 'n1'],
    ['${node.datacenter}', 'dc1'],
    ['${node.class}', 'gpu'],
    ['${node.pool}', 'edge'],
    ['${attr.kernel.name}', 'linux'],
    ['${meta.rack}', 'r9'],
    ['${attr.nope}', null],
    ['${attr.__proto__}', null],
    ['${meta.constructor}', null],
    ['${nope}', null],
    ['plain', 'plain'],
  ])('%s is %s', (target, expected) => expect(resolveTarget(target, node)).toBe(expected));
});

describe('a constraint', () => {
  it.each([
    ['${attr.kernel.name}', '=', 'linux', true],
    ['${attr.kernel.name}', '==', 'linux', true],
    ['${attr.kernel.name}', 'is', 'windows', false],
    ['${attr.kernel.name}', '!=', 'windows', true],
    ['${attr.kernel.name}', 'not', 'linux', false],
    ['${attr.nope}', '!=', 'linux', true],
    ['${attr.nope}', '=', 'linux', false],
    ['${attr.nope}', 'is_not_set', '', true],
    ['${attr.nope}', 'is_set', '', false],
    ['${attr.cores}', 'is_set', '', true],
    ['${attr.cores}', '>', '9', true],
    ['${attr.cores}', '<=', '16', true],
    ['${attr.cores}', '<', '16', false],
    ['${attr.cores}', '>=', '16.5', false],
    ['${meta.rack}', '<', 'r10', false],
    ['${meta.rack}', '>', 'r10', true],
    ['${attr.kernel.name}', 'regexp', '^lin(ux)?$', true],
    ['${attr.kernel.name}', 'regexp', '(', false],
    ['${attr.list}', 'set_contains', 'c,a', true],
    ['${attr.list}', 'set_contains_all', 'c,d', false],
    ['${attr.list}', 'set_contains_any', 'd,c', true],
    ['${attr.driver.docker.version}', 'version', '>= 26.1, < 27', true],
    ['${attr.driver.docker.version}', 'version', '~> 26.0', true],
    ['${attr.driver.docker.version}', 'version', '~> 26.1.0', true],
    ['${attr.driver.docker.version}', 'version', '~> 25.0', false],
    ['${attr.driver.docker.version}', 'version', '26.1.4', true],
    ['${attr.driver.docker.version}', 'version', '!= 26.1.4', false],
    ['${attr.driver.docker.version}', 'version', 'nonsense', false],
    ['${attr.kernel.name}', 'version', '> 0', false],
    ['${attr.beta}', 'version', '> 1.0', false],
    ['${attr.beta}', 'version', '> 2.0.0-beta.1', true],
    ['${attr.beta}', 'version', '>= 2.0.0-beta.10', false],
    ['${attr.beta}', 'semver', '> 1.0.0', true],
    ['${attr.beta}', 'semver', '< 2.0.0', true],
    ['${attr.beta}', 'semver', '~> 2.0', false],
    ['${attr.kernel.name}', 'bogus', 'linux', false],
  ])('%s %s %s: %s', (LTarget, Operand, RTarget, expected) => {
    expect(meets({ LTarget, Operand, RTarget }, node)).toBe(expected);
  });

  it('takes no time over a pattern that would make others backtrack', () => {
    const LTarget = 'a'.repeat(5_000);
    expect(meets({ LTarget, Operand: 'regexp', RTarget: '^(a+)+$' }, node)).toBe(true);
    expect(meets({ LTarget: `${LTarget}!`, Operand: 'regexp', RTarget: '^(a|a?)+$' }, node)).toBe(false);
  });
});

describe('a datacenter pattern', () => {
  it.each([
    ['*', 'dc1', true],
    ['dc*', 'dc1', true],
    ['*1', 'dc1', true],
    ['d*1', 'dc1', true],
    ['dc', 'dc1', false],
    ['dc1', 'dc1', true],
    ['dc?', 'dc1', false],
    ['*a*a*a*b', 'a'.repeat(200), false],
    ['', '', true],
  ])('%s against %s: %s', (pattern, text, expected) => expect(matchesGlob(pattern, text)).toBe(expected));
});
