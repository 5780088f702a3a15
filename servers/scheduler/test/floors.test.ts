import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** From the top down. A file imports its own floor or a lower one; files of one floor share a line. */
const floors: readonly (readonly string[])[] = [
  ['main'],
  ['program'],
  ['arguments', 'settings', 'commands', 'banner', 'agent'],
  ['agent-config'],
  ['http', 'rpc', 'sample'],
  ['requests'],
  ['acl', 'client', 'workers', 'membership', 'logs', 'profiles', 'metrics', 'host'],
  ['placement'],
  ['cluster'],
  ['state'],
  ['storage', 'model'],
  ['system-clock', 'backoff'],
  ['errors', 'clock'],
];

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** Imports of types count: a cycle of them is a knot too. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const found = [...text.matchAll(/^(?:import|export) [^;]*?from '(\.[^']*)\.js';/gms)].map(
      ([, path = '']) => relative(src, join(src, dirname(file), `${path}.ts`)),
    );
    return [file, found] as const;
  }),
);

function floorOf(file: string): number {
  const [part = ''] = file.replace(/\.ts$/, '').split('/');
  return floors.findIndex((floor) => floor.includes(part));
}

describe('the floors of the scheduler', () => {
  it('hold every file, and every import leads to a file', () => {
    expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
    expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([]);
  });

  it('import no floor above their own', () => {
    const upward = [...imports].flatMap(([file, found]) =>
      found
        .filter((imported) => floorOf(imported) < floorOf(file))
        .map((imported) => `${file} -> ${imported}`),
    );
    expect(upward).toEqual([]);
  });

  it('have no cycles', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (done.has(file) || path.includes(file)) return;
      for (const imported of imports.get(file) ?? []) visit(imported, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });
});
