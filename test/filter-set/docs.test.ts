import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { createFilterSet } from '../../src/entries/filter-set.js';

// The examples of these pages are run as written: `expression; // => value` is checked, in order.

const pages = ['filter-set', 'guides/saved-search-alerts'];

it.each(pages)('the examples of docs/%s.md have the results that they show', (name) => {
  const page = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
  const code = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .map(([, block = '']) => block.replaceAll(/^import .*$/gm, ''))
    .join('\n')
    .replaceAll(/^(.*); \/\/ => (.*)$/gm, 'check(() => $1, $2);');
  const checked: string[] = [];
  const check = (evaluate: () => unknown, value: unknown): void => {
    checked.push(String(evaluate));
    expect(evaluate(), String(evaluate)).toEqual(value);
  };
  const names = { defineSchema, t, createFilterSet, check };
  const script = ts.transpile(code, { target: ts.ScriptTarget.ES2022 });
  compileFunction(script, Object.keys(names))(...Object.values(names));
  expect(checked).toHaveLength([...page.matchAll(/ \/\/ => /g)].length);
  expect(checked.length).toBeGreaterThan(name === 'filter-set' ? 15 : 1);
});
