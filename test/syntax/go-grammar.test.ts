import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { byteOffsetAt } from '../../src/language/diagnostics/source.js';
import { parse, type ParsedFilter } from '../../src/language/parse.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { anyText } from '../support/filter-text.js';
import { readAsGo } from '../support/go-grammar.js';
import { asGoTree } from '../support/go-tree.js';
import { unlimited } from '../support/unlimited.js';

function read(text: string, dialect: Dialect): ParsedFilter | FilterSyntaxError {
  try {
    return parse(text, { dialect, limits: unlimited });
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error;
    throw error;
  }
}

function isMoved(parsed: ParsedFilter): boolean {
  return parsed.relaxations.some(({ kind }) => kind === 'quoted-pointer-value');
}

// The reference reads as go-bexpr does, alternative by alternative; see there.
describe('the go-bexpr dialect', () => {
  it('accepts what the reference accepts, and as the same tree', () => {
    const property = fc.property(anyText('go-bexpr'), (text) => {
      const reference = readAsGo(text);
      const ours = read(text, 'go-bexpr');
      if (ours instanceof FilterSyntaxError) expect(reference.ok).toBe(false);
      else expect({ ok: true, tree: asGoTree(ours.ast) }).toEqual(reference);
    });
    fc.assert(property, { numRuns: 1_500 });
  });

  it('names the place that the reference names', () => {
    const texts = fc.sample(anyText('go-bexpr'), { numRuns: 2_000, seed: 7 });
    const positions = texts.flatMap((text) => {
      const [reference, ours] = [readAsGo(text), read(text, 'go-bexpr')];
      if (reference.ok || !(ours instanceof FilterSyntaxError)) return [];
      const offset = /^\d+:\d+ \((\d+)\)/.exec(ours.goMessage)?.[1];
      return [Number(offset) === byteOffsetAt(text, reference.at)];
    });
    expect(positions.length).toBeGreaterThan(1_000);
    // A few differ where go-bexpr gets further along a reading that cannot succeed.
    expect(positions.filter(Boolean).length / positions.length).toBeGreaterThan(0.97);
  });
});

describe('the standard dialect', () => {
  it('reads all that the reference accepts in the same way, quoted pointers apart', () => {
    const property = fc.property(anyText('go-bexpr'), (text) => {
      const reference = readAsGo(text);
      const ours = read(text, 'standard');
      if (!reference.ok) return;
      if (ours instanceof FilterSyntaxError) throw ours;
      expect(ours.relaxations.filter(({ kind }) => kind !== 'quoted-pointer-value')).toEqual([]);
      if (!isMoved(ours)) expect(asGoTree(ours.ast)).toEqual(reference.tree);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('notes a relaxation in every text that the reference does not accept', () => {
    const property = fc.property(anyText('standard'), (text) => {
      const ours = read(text, 'standard');
      if (ours instanceof FilterSyntaxError) return;
      const isPortable = ours.relaxations.every(({ kind }) => kind === 'quoted-pointer-value');
      expect(isPortable).toBe(readAsGo(text).ok);
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
