import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The .tgz that `npm publish` would send. */
    tarball: string;
    /** An otherwise empty project in which the tarball is installed. */
    consumer: string;
  }
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Packs the engine as built from the present sources and installs it where nothing of this checkout can be seen. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-package-'));
  execFileSync(process.execPath, ['scripts/setup.mjs'], { cwd: root, stdio: 'inherit' });
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack wrote no tarball');
  const consumer = join(folder, 'consumer');
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', `../${tarball}`], consumer);
  project.provide('tarball', join(folder, tarball));
  project.provide('consumer', consumer);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Runs npm in `cwd` without the variables that an outer `npm test` sets for its scripts, such as its own folder. */
export function npm(args: readonly string[], cwd: string): string {
  const cached = /^npm_config_(cache|registry|userconfig|globalconfig|offline)$/i;
  const env = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || cached.test(name));
  const options = { cwd, env: Object.fromEntries(env), encoding: 'utf8' } as const;
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js') === true
    ? execFileSync(process.execPath, [cli, ...args], options)
    : execFileSync('npm', args, { ...options, shell: process.platform === 'win32' });
}
