import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { readSuite } from '../../../conformance/src/data.mjs';
import { FilterError, parse, type Dialect } from '../../../src/index.js';
import { anyText, tokenSoups, wordSoups } from '../../support/filter-text.js';

// The build leaves parts of Chevrotain out (scripts/slim). What is installed must read, and refuse, as the sources do, which
// run on the whole of it.

interface Tamis {
  readonly parse: typeof parse;
  readonly FilterError: typeof FilterError;
}

const installed = join(inject('consumer'), 'node_modules/tamis/dist');
const builds: Readonly<Record<string, Tamis>> = {
  esm: (await import(pathToFileURL(join(installed, 'index.js')).href)) as Tamis,
  cjs: createRequire(import.meta.url)(join(installed, 'index.cjs')) as Tamis,
};
const sources: Tamis = { parse, FilterError };

const dialects: readonly Dialect[] = ['standard', 'go-bexpr'];

/** The tree or the whole refusal; what is neither is thrown on. */
function outcome(tamis: Tamis, text: string, dialect: Dialect): unknown {
  try {
    return tamis.parse(text, { dialect });
  } catch (error) {
    if (error instanceof tamis.FilterError) return { ...error.toJSON(), frame: error.message };
    throw error;
  }
}

function expectParity(build: Tamis, text: string): void {
  for (const dialect of dialects) {
    expect(outcome(build, text, dialect)).toEqual(outcome(sources, text, dialect));
  }
}

/** What the suite has a tree or a refusal for. */
const recorded = readSuite()
  .cases.filter(({ answer: result }) => 'tree' in result || ('error' in result && result.error === 'syntax'))
  .map(({ expression }) => expression);

describe.each(Object.entries(builds))('the installed parser (%s) does what the sources do', (_, build) => {
  it('for every recorded expression', () => {
    expect(recorded.length).toBeGreaterThan(1000);
    for (const text of recorded) expectParity(build, text);
  });

  it('for sentences, mutants and soups', () => {
    const texts = fc.oneof(anyText('standard'), anyText('go-bexpr'), tokenSoups, wordSoups, fc.string());
    const property = fc.property(texts, (text) => expectParity(build, text));
    expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow();
  });
});
