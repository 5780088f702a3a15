import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const own = fileURLToPath(new URL('..', import.meta.url));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tamis-vscode-'));
  execFileSync(process.execPath, [join(own, 'bundle.mjs'), folder], { cwd: own });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where a file of the manifest is in the bundle. */
const inBundle = (path: string): string =>
  path.startsWith('./dist/') ? join(folder, path.slice('./dist/'.length)) : join(own, path);

describe('the extension for Visual Studio Code', () => {
  it('has every file that its manifest names', () => {
    const { main, contributes } = manifest;
    const named = [
      main,
      ...contributes.languages.map(({ configuration }) => configuration),
      ...contributes.grammars.map(({ path }) => path),
    ];
    expect(named.filter((path) => !existsSync(inBundle(path)))).toEqual([]);
  });

  it('has the grammar of the language that it declares', () => {
    const [grammar] = manifest.contributes.grammars;
    const { scopeName } = JSON.parse(readFileSync(inBundle(grammar!.path), 'utf8')) as {
      readonly scopeName: string;
    };
    expect(scopeName).toBe(grammar!.scopeName);
    expect(manifest.contributes.languages.map(({ id }) => id)).toContain(grammar!.language);
  });

  it('lists the licences of all bundled packages', () => {
    const text = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['chevrotain', 'vscode-languageclient', 'vscode-languageserver', 'yaml'])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('needs nothing that is not bundled, but the editor', () => {
    const needed = [
      ...readFileSync(join(folder, 'extension.cjs'), 'utf8').matchAll(/require\("([^"]+)"\)/g),
    ].map(([, name = '']) => name);
    const builtIn = new Set(process.getBuiltinModule('module').builtinModules);
    const foreign = needed.filter((name) => !builtIn.has(name.replace('node:', '')));
    expect(new Set(foreign)).toEqual(new Set(['vscode']));
  });
});
