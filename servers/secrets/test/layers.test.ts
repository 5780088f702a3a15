import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/**
 * From the top down. A file imports its own layer or a lower one; files of one layer share a line. The longest entry
 * that a path begins with is its layer.
 */
const layers: readonly (readonly string[])[] = [
  ['main'],
  ['program'],
  ['arguments', 'commands', 'settings'],
  ['auth-methods', 'server'],
  ['services'],
  ['server-config'],
  ['http'],
  // A folder for each method: nothing but the list above knows of it.
  ['auth/cloud'],
  ['routes', 'auth'],
  ['api'],
  ['policies', 'audit'],
  ['tokens', 'cloud', 'fields'],
  ['seal'],
  ['storage'],
  ['errors', 'fold', 'clock', 'logger', 'cidr', 'locks', 'strict-json', 'setting-readers', 'version'],
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

function layerOf(file: string): number {
  const path = file.replace(/\.ts$/, '');
  const fits = (part: string): boolean => path === part || path.startsWith(`${part}/`);
  const lengths = layers.map((layer) => Math.max(-1, ...layer.filter(fits).map(({ length }) => length)));
  const longest = Math.max(...lengths);
  return longest === -1 ? -1 : lengths.indexOf(longest);
}

describe('the layers of the secrets server', () => {
  it('hold every file, and every import leads to a file', () => {
    expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
    expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([]);
  });

  it('import no layer above their own', () => {
    const upward = [...imports].flatMap(([file, found]) =>
      found
        .filter((imported) => layerOf(imported) < layerOf(file))
        .map((imported) => `${file} -> ${imported}`),
    );
    expect(upward).toEqual([]);
  });

  it('keep the method away from tokens, and tokens away from the method', () => {
    const between = (from: string, to: string): string[] =>
      [...imports].flatMap(([file, found]) =>
        file.startsWith(from) ? found.filter((imported) => imported.startsWith(to)) : [],
      );
    expect(between('auth/cloud', 'tokens')).toEqual([]);
    expect(between('cloud', 'tokens')).toEqual([]);
    expect(between('tokens', 'auth/cloud')).toEqual([]);
  });

  it('tie no knot of folders', () => {
    const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/');
    const folders = new Map<string, Set<string>>();
    for (const [file, found] of imports) {
      const used = found.map(folderOf).filter((folder) => folder !== '' && folder !== folderOf(file));
      folders.set(folderOf(file), new Set([...(folders.get(folderOf(file)) ?? []), ...used]));
    }
    folders.delete('');
    expect(cyclesIn(folders)).toEqual([]);
  });

  it('have no cycles', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });
});

/** Each cycle once, as `a -> b -> a`. */
function cyclesIn(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
