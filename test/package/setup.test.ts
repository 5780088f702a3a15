import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));

/** Replaces a build: records its run in build.log, fails on request, and waits for `release` when `hold` exists. */
const build = `
import { appendFileSync, existsSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
const root = new URL('../', import.meta.url);
if (existsSync(new URL('fail', root))) { console.error('the build says why'); process.exit(3); }
appendFileSync(new URL('build.log', root), [basename(process.cwd()), ...process.argv.slice(2)].join(' ') + '\\n');
if (existsSync(new URL('hold', root))) {
  const watcher = watch(root, () => { if (existsSync(new URL('release', root))) watcher.close(); });
  writeFileSync(new URL('started', root), '');
}
mkdirSync('dist', { recursive: true });
`;

/** A checkout without dependencies: an engine, a server that uses it and one that does not. */
function writeCheckout(root: string): void {
  const engine = { name: 'engine', version: '1.0.0', workspaces: ['servers/*'] };
  const scripts = { build: 'node ../../scripts/build.mjs' };
  const user = { name: 'a-user', version: '1.0.0', dependencies: { engine: 'file:../..' } };
  // What it reads of another workspace counts as its own.
  const other = { name: 'b-other', version: '1.0.0', build: { reads: ['servers/a-user/model'] } };
  const packages = {
    '': engine,
    'servers/a-user': user,
    'servers/b-other': other,
    'node_modules/engine': { resolved: '', link: true },
    'node_modules/a-user': { resolved: 'servers/a-user', link: true },
    'node_modules/b-other': { resolved: 'servers/b-other', link: true },
  };
  const lock = { ...engine, lockfileVersion: 3, requires: true, packages };
  const files: Record<string, unknown> = {
    'package.json': engine,
    'package-lock.json': lock,
    'servers/a-user/package.json': { ...user, scripts },
    'servers/b-other/package.json': { ...other, scripts },
    'servers/b-other/test/one.test.ts': '',
    'src/index.ts': '',
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

describe('setup', () => {
  let root: string;
  const path = (name: string): string => join(root, name);
  const setup = (...args: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, ['scripts/setup.mjs', ...args], { cwd: root, encoding: 'utf8' });
  /** The packages that were built since the last call, in order. */
  const built = (): string[] => {
    const log = existsSync(path('build.log')) ? readFileSync(path('build.log'), 'utf8').split('\n') : [];
    rmSync(path('build.log'), { force: true });
    return log.filter((line) => line !== '').map((line) => line.replace(basename(root), 'engine'));
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tamis-setup-'));
    cpSync(scripts, path('scripts'), { recursive: true });
    writeCheckout(root);
    writeFileSync(path('scripts/build.mjs'), build);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('installs, builds in the order of use, and then rebuilds only what changed', () => {
    const first = setup();
    expect(first.stderr).toMatch(/^setup: installing packages \(node_modules is missing\) \.\.\. \d/);
    expect(first.stderr.trimEnd().split('\n')).toHaveLength(5);
    expect(first.status).toBe(0);
    expect(built()).toEqual(['engine', 'engine --rest', 'a-user', 'b-other']);

    expect(setup()).toMatchObject({ status: 0, stderr: '' });
    expect(built()).toEqual([]);

    writeFileSync(path('src/index.ts'), 'changed');
    setup();
    expect(built()).toEqual(['engine', 'engine --rest', 'a-user']);

    writeFileSync(path('servers/b-other/main.ts'), 'new');
    writeFileSync(path('servers/a-user/README.md'), 'new');
    setup();
    expect(built()).toEqual(['b-other']);

    writeFileSync(path('servers/b-other/test/one.test.ts'), 'changed');
    setup();
    expect(built()).toEqual([]);

    mkdirSync(path('servers/a-user/model'));
    writeFileSync(path('servers/a-user/model/job.ts'), 'new');
    setup();
    expect(built()).toEqual(['a-user', 'b-other']);

    rmSync(path('servers/a-user/dist'), { recursive: true });
    setup();
    expect(built()).toEqual(['a-user']);

    setup('--force');
    expect(built()).toEqual(['engine', 'engine --rest', 'a-user', 'b-other']);
  });

  it('starting installs and builds only what it needs, and what follows brings the rest', () => {
    const lock = JSON.parse(readFileSync(path('package-lock.json'), 'utf8')) as {
      packages: Record<string, object>;
    };
    mkdirSync(path('checker'));
    writeFileSync(path('checker/package.json'), JSON.stringify({ name: 'checker', version: '1.0.0' }));
    const manifest = {
      name: 'b-other',
      version: '1.0.0',
      devDependencies: { checker: 'file:../../checker' },
    };
    const scripts = { build: 'node ../../scripts/build.mjs' };
    writeFileSync(path('servers/b-other/package.json'), JSON.stringify({ ...manifest, scripts }));
    Object.assign(lock.packages, {
      'servers/b-other': manifest,
      checker: { version: '1.0.0', dev: true },
      'node_modules/checker': { resolved: 'checker', link: true, dev: true },
    });
    writeFileSync(path('package-lock.json'), JSON.stringify(lock));

    expect(setup('--to-start', 'servers/a-user')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('installing the packages that starting needs'),
    });
    expect(existsSync(path('node_modules/checker'))).toBe(false);
    expect(built()).toEqual(['engine', 'a-user']);
    expect(setup('--to-start', 'servers/a-user')).toMatchObject({ status: 0, stderr: '' });

    expect(setup().stderr).toContain('installing packages (node_modules/checker is not installed)');
    expect(existsSync(path('node_modules/checker'))).toBe(true);
    expect(built()).toEqual(['engine --rest', 'b-other']);
    expect(setup('--to-start', 'servers/a-user')).toMatchObject({ status: 0, stderr: '' });
  });

  it('installs again when a link is gone', () => {
    setup();
    rmSync(path('node_modules/a-user'));
    expect(setup().stderr).toContain('node_modules/a-user is a broken link');
    expect(existsSync(path('node_modules/a-user'))).toBe(true);
  });

  it('explains a failing npm ci and passes its exit code on', () => {
    const manifest = { name: 'b-other', version: '1.0.0', dependencies: { 'a-user': '2.0.0' } };
    writeFileSync(path('servers/b-other/package.json'), JSON.stringify(manifest));
    const { status, stderr } = setup();
    expect(status).toBe(1);
    expect(stderr).toContain('`npm ci` failed (exit code 1)');
    expect(stderr).toContain('run `npm install`');
    expect(built()).toEqual([]);
  });

  it('shows the words of a failing build, passes its exit code on and tries again the next time', () => {
    writeFileSync(path('fail'), '');
    const { status, stderr } = setup();
    expect(status).toBe(3);
    expect(stderr).toContain('the build says why');
    expect(stderr).toContain('setup: building engine failed (exit code 3)');
    rmSync(path('fail'));
    expect(setup().status).toBe(0);
    expect(built()).toEqual(['engine', 'engine --rest', 'a-user', 'b-other']);
  });

  it('lets a second setup wait for the first and then finds nothing to do', async () => {
    writeFileSync(path('hold'), '');
    const first = start(root);
    await expect.poll(() => existsSync(path('started'))).toBe(true);
    const waiting = start(root);
    await expect.poll(() => waiting.stderr()).toContain('waiting for another setup');
    rmSync(path('hold'));
    writeFileSync(path('release'), '');
    expect(await Promise.all([first.status, waiting.status])).toEqual([0, 0]);
    expect(built()).toEqual(['engine', 'engine --rest', 'a-user', 'b-other']);
    expect(waiting.stderr()).not.toContain('building');
  });

  it('breaks the lock of a process that died', () => {
    const dead = spawnSync(process.execPath, ['-p', 'process.pid + " " + os.hostname()'], {
      encoding: 'utf8',
    });
    mkdirSync(path('.cache/setup'), { recursive: true });
    writeFileSync(path('.cache/setup/lock'), dead.stdout.trim());
    const { status, stderr } = setup();
    expect(stderr).not.toContain('waiting');
    expect(status).toBe(0);
    expect(existsSync(path('.cache/setup/lock'))).toBe(false);
  });
});

function start(cwd: string): { status: Promise<number | null>; stderr: () => string } {
  const child = spawn(process.execPath, ['scripts/setup.mjs'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { status: new Promise((resolve) => child.on('close', resolve)), stderr: () => stderr };
}

it.each([
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['22.0.0', true],
])('Node %s is good enough: %s', (version, expected) => {
  const url = JSON.stringify(pathToFileURL(join(scripts, 'node-version.mjs')).href);
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); await import(${url});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', pretend], {
    encoding: 'utf8',
  });
  expect(status).toBe(expected ? 0 : 1);
  expect(stderr).toBe(
    expected
      ? ''
      : `Tamis needs Node 20.19 or later; this is Node ${version}.\n` +
          'Install a current Node (https://nodejs.org) and run the same command again.\n',
  );
});
