import { describe, expect, it } from 'vitest';
import { engineExceptions, engineLayout, folderCycles, readSources, violations } from './layers.js';

describe('the engine', () => {
  const sources = readSources(new URL('../../src/', import.meta.url));

  it('keeps its layers, has no cycles and nothing that is forbidden', () => {
    expect(violations(sources, engineLayout)).toEqual([]);
  });

  it('has no cycles of folders except the listed ones', () => {
    expect(folderCycles(sources, engineExceptions)).toEqual([]);
  });

  it('was read at all', () => {
    expect([...sources.keys()]).toEqual(
      expect.arrayContaining(['index.ts', 'language/syntax/ast.ts', 'language/diagnostics/errors.ts']),
    );
  });
});

const lower = 'export const a = 1;\n';

// One line a case: the file, its source, the expected message. `language/syntax/ast.ts` and `language/schema/type.ts` exist as
// well.
it.each([
  ['language/schema/x.ts', "import { a } from '../syntax/ast.js';", []],
  ['language/schema/x.ts', "import { a } from './type.js';", []],
  ['language/values/x.ts', "import { a } from '../diagnostics/span.js';", []],
  ['command/x.ts', "import { stdin } from 'node:process';", []],
  ['language/syntax/parser.ts', "import { Lexer } from 'chevrotain';", []],
  [
    'language/schema/x.ts',
    "// import { a } from '../repl/main.js'; eval('1')\nexport const text = \"export * from 'x'\";",
    [],
  ],
  [
    'language/syntax/x.ts',
    "import { a } from '../schema/type.js';",
    ['language/syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'language/syntax/x.ts',
    "import type { a } from '../schema/type.js';",
    ['language/syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'language/syntax/x.ts',
    "export { a } from '../schema/type.js';",
    ['language/syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'language/syntax/x.ts',
    "type A = import('../schema/type.js').A;",
    ['language/syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'language/syntax/x.ts',
    "\nvoid import('../schema/type.js');",
    ['language/syntax/x.ts:2: ../schema/type.js is a layer up'],
  ],
  [
    'language/syntax/x.ts',
    "import a = require('../schema/type.js');",
    ['language/syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'language/syntax/x.ts',
    "import { a } from './gone.js';",
    ['language/syntax/x.ts:1: ./gone.js is no file of the tree'],
  ],
  [
    'language/syntax/x.ts',
    "import { a } from '../../servers/a.js';",
    ['language/syntax/x.ts:1: ../../servers/a.js is no file of the tree'],
  ],
  ['filter/compile/x.ts', "import { a } from './operators/equality.js';", []],
  ['filter/compile/operators/x.ts', "import { a } from '../frame/meter.js';", []],
  [
    'filter/compile/operators/x.ts',
    "import { a } from '../match.js';",
    ['filter/compile/operators/x.ts:1: ../match.js is a layer up'],
  ],
  [
    'filter/compile/quick/x.ts',
    "import type { a } from '../operators/equality.js';",
    ['filter/compile/quick/x.ts:1: ../operators/equality.js is a layer up'],
  ],
  [
    'filter/compile/frame/x.ts',
    "import { a } from '../match.js';",
    ['filter/compile/frame/x.ts:1: ../match.js is a layer up'],
  ],
  ['helper/x.ts', 'export const a = 1;', ['helper/x.ts: is in no layer']],
  [
    'language/syntax/x.ts',
    "import { a } from './x.js';",
    ['cycle: language/syntax/x.ts -> language/syntax/x.ts'],
  ],
  [
    'language/syntax/x.ts',
    "import type { L } from 'chevrotain';",
    [
      'language/syntax/x.ts:1: chevrotain belongs to language/syntax/tokens.ts, language/syntax/lexer.ts, language/syntax/parser.ts, language/syntax/path-rules.ts, language/syntax/value-rules.ts, language/syntax/match-rules.ts',
    ],
  ],
  [
    'lists/list/x.ts',
    "import { readFileSync } from 'node:fs';",
    ['lists/list/x.ts:1: node:fs belongs to command/'],
  ],
  [
    'lists/list/x.ts',
    "import { readFileSync } from 'fs';",
    ['lists/list/x.ts:1: fs is a package that nobody named'],
  ],
  [
    'lists/list/x.ts',
    "import fastify from 'fastify';",
    ['lists/list/x.ts:1: fastify is a package that nobody named'],
  ],
  ['lists/list/x.ts', "export * from '../../language/syntax/ast.js';", ['lists/list/x.ts:1: export *']],
  [
    'lists/list/x.ts',
    "export * as ast from '../../language/syntax/ast.js';",
    ['lists/list/x.ts:1: export * as'],
  ],
  ['lists/list/x.ts', 'export default 1;', ['lists/list/x.ts:1: default export']],
  ['lists/list/x.ts', 'export default function list() {}', ['lists/list/x.ts:1: default export']],
  ['lists/list/x.ts', 'const a = 1;\nexport { a as default };', ['lists/list/x.ts:2: default export']],
  ['lists/list/x.ts', "eval('1');", ['lists/list/x.ts:1: eval']],
  ['lists/list/x.ts', "(0, eval)('1');", ['lists/list/x.ts:1: eval']],
  ['lists/list/x.ts', "globalThis.eval('1');", ['lists/list/x.ts:1: eval']],
  ['lists/list/x.ts', "new Function('return 1');", ['lists/list/x.ts:1: Function constructor']],
  ['lists/list/x.ts', "Function('return 1');", ['lists/list/x.ts:1: Function constructor']],
  ['lists/list/x.ts', 'void import(name);', ['lists/list/x.ts:1: <computed> is a package that nobody named']],
])('%s: %s', (path, text, expected) => {
  const sources = new Map([
    ['language/syntax/ast.ts', lower],
    ['language/schema/type.ts', lower],
    ['language/diagnostics/span.ts', lower],
    ['filter/compile/match.ts', lower],
    ['filter/compile/operators/equality.ts', lower],
    ['filter/compile/frame/meter.ts', lower],
    [path, text],
  ]);
  expect(violations(sources, engineLayout)).toEqual(expected);
});

it('finds a cycle of several files, through a type import, once', () => {
  const sources = new Map([
    ['language/syntax/a.ts', "import { b } from './b.js';"],
    ['language/syntax/b.ts', "import type { c } from './c.js';"],
    ['language/syntax/c.ts', "export { a } from './a.js';"],
    ['language/syntax/d.ts', "import { a } from './a.js';"],
  ]);
  expect(violations(sources, engineLayout)).toEqual([
    'cycle: language/syntax/a.ts -> language/syntax/b.ts -> language/syntax/c.ts -> language/syntax/a.ts',
  ]);
});

describe('folderCycles', () => {
  const sources = new Map([
    ['a/one.ts', "import '../b/one.js';"],
    ['b/one.ts', ''],
    ['b/two.ts', "import type { A } from '../a/two.js';"],
    ['a/two.ts', "import './one.js';"],
  ]);
  const exception = { from: 'b', to: 'a', reason: 'test' };

  it('reports folders that import each other through different files', () => {
    expect(folderCycles(sources)).toEqual(['cycle: a -> b -> a']);
  });

  it('reports a cycle with the top of the tree', () => {
    const withTop = new Map([
      ...sources,
      ['top.ts', "import './a/two.js';"],
      ['b/one.ts', "import '../top.js';"],
    ]);
    expect(folderCycles(withTop, [exception])).toEqual(['cycle: a -> b -> . -> a']);
  });

  it('accepts a listed exception and reports one that no import needs', () => {
    expect(folderCycles(sources, [exception])).toEqual([]);
    expect(folderCycles(new Map([['a/one.ts', '']]), [exception])).toEqual([
      'exception without an import: b -> a',
    ]);
  });
});
