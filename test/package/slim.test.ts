import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { uncalled } from '../../scripts/slim/plugin.js';

it('the grammar calls no method of Chevrotain that the build leaves out', () => {
  const files = ['path-rules', 'value-rules', 'match-rules', 'parser'];
  const text = files
    .map((name) => readFileSync(new URL(`../../src/language/syntax/${name}.ts`, import.meta.url), 'utf8'))
    .join('\n');
  const called = [...text.matchAll(/\b(?:this|super)\.(\w+)\(/g)].map(([, name = '']) => name);
  expect(called).toContain('CONSUME2');
  const leftOut = Object.entries(uncalled).filter(([path]) => path.startsWith('parse/'));
  expect(called.filter((name) => leftOut.some(([, names]) => names.test(name)))).toEqual([]);
});
