import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sections, showDisagreement, tally } from './tally.js';
import { readVectors } from './vector.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'vectors');
const vectors = readVectors(folder, folder);
const sizes = { parse: 1751, untyped: 1873, typed: 2972 };

describe('conformance with go-bexpr', () => {
  it.each(sections)('%s vectors', (section) => {
    const { passed, skipped, disagreements } = tally(vectors, section);
    expect(disagreements.slice(0, 20).map(showDisagreement)).toEqual([]);
    expect(disagreements.length).toBe(0);
    const skips = [...skipped.values()].reduce((sum, count) => sum + count, 0);
    expect(passed + skips).toBe(sizes[section]);
  });
});
