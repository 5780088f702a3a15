import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** From the top down. A file imports its own floor or a lower one. */
const floors = [
  'index',
  'settings',
  'maintenance',
  'log',
  'election',
  'watch',
  'connection',
  'protocol',
  'clock',
  'errors',
];

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8');
  return [...text.matchAll(/^(?:import|export) [^;]*?from ['"](\.[^'"]*)\.js['"];/gms)].map(([, path = '']) =>
    relative(src, join(src, dirname(file), `${path}.ts`)),
  );
}

function floorOf(file: string): number {
  return floors.indexOf(file.replace(/\.ts$/, '').split('/')[0] ?? '');
}

it('the floors hold every file, and no file imports from above its own', () => {
  expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !files.includes(imported) || floorOf(imported) < floorOf(file))
      .map((imported) => `${file} -> ${imported}`),
  );
  expect(upward).toEqual([]);
  expect(files.flatMap(importsOf).length).toBeGreaterThan(30);
});
