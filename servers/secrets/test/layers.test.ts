import { describe, expect, it } from 'vitest';
import {
  folderCycles,
  importsOf,
  readSources,
  violations,
  type Layout,
} from '../../../test/package/layers.js';

const layout: Layout = {
  layers: [
    ['main.ts'],
    ['program/'],
    ['server/'],
    ['http/'],
    // A folder for each method: nothing but the list above knows of it.
    ['auth/cloud/'],
    ['routes/', 'auth/', 'metrics/'],
    ['api/'],
    ['policies/', 'audit/'],
    ['tokens/', 'cloud/', 'fields/'],
    ['seal/'],
    ['storage/'],
    ['base/'],
  ],
};

const sources = readSources(new URL('../src/', import.meta.url));

describe('the secrets server', () => {
  it('keeps its layers, and ties no knot of files or folders', () => {
    expect(sources.size).toBeGreaterThan(40);
    expect(violations(sources, layout)).toEqual([]);
    expect(folderCycles(sources)).toEqual([]);
  });

  it.each([
    ['auth/cloud/', 'tokens/'],
    ['cloud/', 'tokens/'],
    ['tokens/', 'auth/'],
  ])('keeps %s away from %s', (from, to) => {
    const between = [...importsOf(sources)].flatMap(([file, targets]) =>
      file.startsWith(from) ? targets.filter((target) => target.startsWith(to)) : [],
    );
    expect(between).toEqual([]);
  });
});
