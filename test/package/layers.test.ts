import { describe, expect, it } from 'vitest';
import { engineLayout, folderCycles, readSources, violations } from './layers.js';

describe('the engine', () => {
  const sources = readSources(new URL('../../src/', import.meta.url));

  it('keeps its layers, has no cycles and nothing that is forbidden', () => {
    expect(violations(sources, engineLayout)).toEqual([]);
  });

  it('has quick checks that know no operators: those choose among them', () => {
    const upward = [...sources].filter(
      ([path, text]) => path.startsWith('compile/quick/') && text.includes("from '../operators/"),
    );
    expect(upward.map(([path]) => path)).toEqual([]);
  });

  it('was read at all', () => {
    expect([...sources.keys()]).toEqual(
      expect.arrayContaining(['index.ts', 'syntax/ast.ts', 'diagnostics/errors.ts']),
    );
  });
});

const lower = 'export const a = 1;\n';

// One line a case: the file, its text, what must be said. `syntax/ast.ts` and `schema/type.ts` exist beside it.
it.each([
  ['schema/x.ts', "import { a } from '../syntax/ast.js';", []],
  ['schema/x.ts', "import { a } from './type.js';", []],
  ['values/x.ts', "import { a } from '../diagnostics/span.js';", []],
  ['repl/x.ts', "import { stdin } from 'node:process';", []],
  ['syntax/parser.ts', "import { Lexer } from 'chevrotain';", []],
  [
    'schema/x.ts',
    "// import { a } from '../repl/main.js'; eval('1')\nexport const text = \"export * from 'x'\";",
    [],
  ],
  [
    'syntax/x.ts',
    "import { a } from '../schema/type.js';",
    ['syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'syntax/x.ts',
    "import type { a } from '../schema/type.js';",
    ['syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'syntax/x.ts',
    "export { a } from '../schema/type.js';",
    ['syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  [
    'syntax/x.ts',
    "type A = import('../schema/type.js').A;",
    ['syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  ['syntax/x.ts', "\nvoid import('../schema/type.js');", ['syntax/x.ts:2: ../schema/type.js is a layer up']],
  [
    'syntax/x.ts',
    "import a = require('../schema/type.js');",
    ['syntax/x.ts:1: ../schema/type.js is a layer up'],
  ],
  ['syntax/x.ts', "import { a } from './gone.js';", ['syntax/x.ts:1: ./gone.js is no file of the tree']],
  [
    'syntax/x.ts',
    "import { a } from '../../servers/a.js';",
    ['syntax/x.ts:1: ../../servers/a.js is no file of the tree'],
  ],
  ['helper/x.ts', 'export const a = 1;', ['helper/x.ts: is in no layer']],
  ['syntax/x.ts', "import { a } from './x.js';", ['cycle: syntax/x.ts -> syntax/x.ts']],
  [
    'syntax/x.ts',
    "import type { L } from 'chevrotain';",
    [
      'syntax/x.ts:1: chevrotain belongs to syntax/tokens.ts, syntax/lexer.ts, syntax/parser.ts, syntax/path-rules.ts, syntax/value-rules.ts, syntax/match-rules.ts',
    ],
  ],
  ['list/x.ts', "import { readFileSync } from 'node:fs';", ['list/x.ts:1: node:fs belongs to repl/']],
  ['list/x.ts', "import { readFileSync } from 'fs';", ['list/x.ts:1: fs is a package that nobody named']],
  ['list/x.ts', "import fastify from 'fastify';", ['list/x.ts:1: fastify is a package that nobody named']],
  ['list/x.ts', "export * from '../syntax/ast.js';", ['list/x.ts:1: export *']],
  ['list/x.ts', "export * as ast from '../syntax/ast.js';", ['list/x.ts:1: export * as']],
  ['list/x.ts', 'export default 1;', ['list/x.ts:1: default export']],
  ['list/x.ts', 'export default function list() {}', ['list/x.ts:1: default export']],
  ['list/x.ts', 'const a = 1;\nexport { a as default };', ['list/x.ts:2: default export']],
  ['list/x.ts', "eval('1');", ['list/x.ts:1: eval']],
  ['list/x.ts', "(0, eval)('1');", ['list/x.ts:1: eval']],
  ['list/x.ts', "globalThis.eval('1');", ['list/x.ts:1: eval']],
  ['list/x.ts', "new Function('return 1');", ['list/x.ts:1: Function constructor']],
  ['list/x.ts', "Function('return 1');", ['list/x.ts:1: Function constructor']],
  ['list/x.ts', 'void import(name);', ['list/x.ts:1: <computed> is a package that nobody named']],
])('%s: %s', (path, text, expected) => {
  const sources = new Map([
    ['syntax/ast.ts', lower],
    ['schema/type.ts', lower],
    ['diagnostics/span.ts', lower],
    [path, text],
  ]);
  expect(violations(sources, engineLayout)).toEqual(expected);
});

it('finds a cycle of several files, through a type import, once', () => {
  const sources = new Map([
    ['syntax/a.ts', "import { b } from './b.js';"],
    ['syntax/b.ts', "import type { c } from './c.js';"],
    ['syntax/c.ts', "export { a } from './a.js';"],
    ['syntax/d.ts', "import { a } from './a.js';"],
  ]);
  expect(violations(sources, engineLayout)).toEqual([
    'cycle: syntax/a.ts -> syntax/b.ts -> syntax/c.ts -> syntax/a.ts',
  ]);
});

it('folders that import each other are a knot, whichever files do it', () => {
  const sources = new Map([
    ['a/one.ts', "import '../b/one.js';"],
    ['b/one.ts', ''],
    ['b/two.ts', "import type { A } from '../a/two.js';"],
    ['a/two.ts', "import '../top.js'; import './one.js';"],
    ['top.ts', "import './a/two.js';"],
  ]);
  expect(folderCycles(sources)).toEqual(['cycle: a -> b -> a']);
});
