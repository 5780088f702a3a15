import { describe, expect, it } from 'vitest';
import type { Expression } from '../../src/language/syntax/ast.js';
import { parse } from '../../src/language/parse.js';
import { print } from '../../src/language/syntax/print.js';
import { walk } from '../../src/language/syntax/visit.js';

const text = 'a == 1 or not (b == 2 and any L as x { c == 3 })';
const { ast } = parse(text);

function name(node: Expression | null): string {
  return node === null ? '-' : node.kind === 'match' ? print(node) : node.kind;
}

describe('walk', () => {
  it('enters and leaves every node in source order', () => {
    const steps: string[] = [];
    walk(ast, {
      enter: (node, parent) => void steps.push(`+${name(node)} in ${name(parent)}`),
      leave: (node) => void steps.push(`-${name(node)}`),
    });
    expect(steps).toEqual([
      '+or in -',
      '+a == 1 in or',
      '-a == 1',
      '+not in or',
      '+and in not',
      '+b == 2 in and',
      '-b == 2',
      '+any in and',
      '+c == 3 in any',
      '-c == 3',
      '-any',
      '-and',
      '-not',
      '-or',
    ]);
  });

  it('calls the member for the kind between enter and the children', () => {
    const steps: string[] = [];
    walk(ast, {
      enter: (node) => void steps.push(`+${node.kind}`),
      or: (node, parent) => void steps.push(`or ${node.operands.length} in ${name(parent)}`),
      and: (node, parent) => void steps.push(`and ${node.operands.length} in ${name(parent)}`),
      not: (_, parent) => void steps.push(`not in ${name(parent)}`),
      match: (node, parent) => void steps.push(`${node.operator} in ${name(parent)}`),
      collection: (node, parent) => void steps.push(`${node.kind} in ${name(parent)}`),
    });
    expect(steps).toEqual([
      ...['+or', 'or 2 in -', '+match', '== in or', '+not', 'not in or', '+and', 'and 2 in not'],
      ...['+match', '== in and', '+any', 'any in and', '+match', '== in any'],
    ]);
  });

  it('skips what lies below a node, but leaves it', () => {
    const steps: string[] = [];
    walk(ast, {
      enter: (node) => (node.kind === 'and' ? 'skip' : undefined),
      and: () => void steps.push('and'),
      match: (node) => void steps.push(print(node)),
      leave: (node) => void steps.push(`-${node.kind}`),
    });
    expect(steps).toEqual(['a == 1', '-match', '-and', '-not', '-or']);
  });

  it('stops at once', () => {
    const steps: string[] = [];
    walk(ast, {
      enter: (node) => {
        steps.push(name(node));
        return node.kind === 'not' ? 'stop' : undefined;
      },
      leave: (node) => void steps.push(`-${name(node)}`),
    });
    expect(steps).toEqual(['or', 'a == 1', '-a == 1', 'not']);
  });

  it('needs no visitor', () => {
    expect(() => walk(ast, {})).not.toThrow();
  });
});
