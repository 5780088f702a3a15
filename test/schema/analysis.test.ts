import { describe, expect, it } from 'vitest';
import { defineSchema, parse, t, type Expression } from '../../src/index.js';
import { analyse, type Analysis } from '../../src/language/schema/analysis.js';
import { describeType } from '../../src/language/schema/type.js';
import type { CollectionExpression, Selector } from '../../src/language/syntax/ast.js';

const { root } = defineSchema({
  Name: t.string,
  Tags: t.list(t.string),
  Meta: t.map(t.int),
  Note: t.nullable(t.string),
  Groups: t.list(t.struct({ Name: t.string, Ports: t.map(t.uint) })),
  Open: t.any,
});

function collectionOf(node: Expression): CollectionExpression {
  if (node.kind !== 'any' && node.kind !== 'all') throw new TypeError(`${node.kind} is no collection`);
  return node;
}

/** The selector of the innermost match, and the analysis of its position. */
function innermost(text: string): { readonly selector: Selector; readonly analysis: Analysis } {
  let analysis = analyse(root);
  let node = parse(text).ast;
  while (node.kind !== 'match') {
    const collection = collectionOf(node);
    analysis = analysis.body(collection);
    node = collection.body;
  }
  return { selector: node.selector, analysis };
}

describe('a selector', () => {
  it.each<[text: string, start: string, type: string | null, steps: string]>([
    ['Name == a', 'row', 'string', 'field'],
    ['"/Name" == a', 'row', 'string', 'field'],
    ['Note == a', 'row', 'nullable string', 'field'],
    ['Tags.0 == a', 'row', 'string', 'field index'],
    ['Meta.a == 1', 'row', 'int', 'field key'],
    ['Open.a.0 == 1', 'row', 'any', 'field open open'],
    ['Nmae == a', 'row', null, 'impossible'],
    ['Name.a.b == a', 'row', null, 'field impossible'],
    ['any Tags as x { x == a }', 'x: element at 0', 'string', ''],
    ['any Tags as x { Name == a }', 'row', 'string', 'field'],
    ['any Tags as i, x { i == 0 }', 'i: index at 0', 'int', ''],
    ['any Tags as i, x { i.a == 0 }', 'i: index at 0', null, ''],
    ['any Meta as k { k == a }', 'k: key at 0', 'string', ''],
    ['any Meta as k, v { v == 1 }', 'v: element at 0', 'int', ''],
    ['any Open as x { x.a == 1 }', 'x: element-or-key at 0', 'any', 'open'],
    ['any Open as k, x { k == 1 }', 'k: key-or-index at 0', 'any', ''],
    ['any Open as k, x { k.a == 1 }', 'k: key-or-index at 0', null, ''],
    ['any Nmae as x { x == 1 }', 'x: element-or-key at 0', 'any', ''],
    ['any Groups as g { any g.Ports as k, p { p == 1 } }', 'p: element at 1', 'uint', ''],
    ['any Groups as g { any g.Ports as k, p { g.Name == a } }', 'g: element at 0', 'string', 'field'],
    ['any Groups as Name { Name.Name == a }', 'Name: element at 0', 'string', 'field'],
    ['any Groups as x { any x.Ports as x { "/x" == a } }', 'x: key at 1', 'string', ''],
  ])('of %s starts at %s and ends at %s', (text, start, type, steps) => {
    const { selector, analysis } = innermost(text);
    const found = analysis.resolve(selector);
    const { binding } = found;
    expect(binding === null ? 'row' : `${binding.name}: ${binding.role} at ${binding.depth}`).toBe(start);
    expect(found.type === null ? null : describeType(found.type)).toBe(type);
    expect(found.steps.map(({ kind }) => kind).join(' ')).toBe(steps);
    expect(found.parts).toEqual(selector.path.slice(binding === null ? 0 : 1));
  });

  it('is resolved once in each place', () => {
    const { selector, analysis } = innermost('any Tags as x { x == a }');
    expect(analysis.resolve(selector)).toBe(analysis.resolve(selector));
    expect(analyse(root).resolve(selector)).not.toEqual(analysis.resolve(selector));
  });
});

describe('a body', () => {
  it('sees the names of its collection before those further out', () => {
    const { analysis } = innermost('any Groups as i, g { any g.Ports as k, p { p == 1 } }');
    expect(analysis.scope.map(({ name }) => name)).toEqual(['p', 'k', 'g', 'i']);
    expect(analysis.depth).toBe(2);
  });

  it('is analysed once, and by itself where any kind may be iterated', () => {
    const node = collectionOf(parse('any Tags as x { x == a }').ast);
    const analysis = analyse(root);
    expect(analysis.body(node)).toBe(analysis.body(node));
    expect(analysis.body(node).scope).toMatchObject([
      { name: 'x', role: 'element', type: { kind: 'string' } },
    ]);
    expect(analysis.openBody(node).scope).toMatchObject([{ role: 'element-or-key', type: { kind: 'any' } }]);
  });

  it('means what its place makes of it, also where two places share it', () => {
    const { body } = collectionOf(parse('any Tags as x { x == a }').ast);
    if (body.kind !== 'match') throw new TypeError('the body is a match');
    const over = (selector: string): CollectionExpression => ({
      ...collectionOf(parse(`any ${selector} as x { x == a }`).ast),
      body,
    });
    const analysis = analyse(root);
    const kinds = [over('Tags'), over('Meta'), over('Groups')].map(
      (node) => analysis.body(node).resolve(body.selector).type?.kind,
    );
    expect(kinds).toEqual(['string', 'string', 'struct']);
    expect(analysis.resolve(body.selector).type).toBeNull();
  });
});
