// Installs the packed servers into empty folders, as a user with the tarballs and Node would, and uses them: each prints its
// version, starts on the data directory of every earlier version in the repository, rejects one of a later version by name,
// and names the missing packages if the etcd client was not installed. Downloads the dependencies from the npm registry.
//
//   npm run proof:install
//   npm run proof:install -- --keep      leaves the folders, and says where
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { runNpm } from './command.mjs';
import { commitOf } from './commits.mjs';
import { prepare, root } from './prepare.mjs';

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'tamis-install-'));
/** Of the store that is kept of 0.2.0; it has opened nothing else. */
const cacheKey = 'e3e33b3cbb4d40a4adf59a0b40b9a65102dfcd166179f3f00352eb1f31f9e610';
const anyPort = ['--port', '0', '--rpc-port', '0', '--serf-port', '0'];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

await prepare();
let failed = 0;
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
try {
  for (const name of ['scheduler', 'secrets']) await prove(name);
} finally {
  for (const child of running) child.kill('SIGKILL');
  if (values.keep) process.stdout.write(`what was installed is in ${folder}\n`);
  else rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/** @param {string} name of the server */
async function prove(name) {
  const prefix = join(folder, name);
  mkdirSync(prefix);
  const from = join(root, 'servers', name);
  await npm(['pack', '--silent', '--pack-destination', prefix], from);
  const tarball = readdirSync(prefix).find((file) => file.endsWith('.tgz')) ?? '';
  await npm(
    ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', join(prefix, tarball)],
    prefix,
  );
  const [files, bytes] = measure(join(prefix, 'node_modules'));
  const { packages } = JSON.parse(readFileSync(join(prefix, 'node_modules', '.package-lock.json'), 'utf8'));
  say(
    name,
    true,
    `tarball ${megabytes(statSync(join(prefix, tarball)).size)}; installed ${megabytes(bytes)}, ${files} files, ${Object.keys(packages).length} packages`,
  );

  const bin = join(prefix, 'node_modules', '.bin', name);
  const said = await start(bin, ['--version'], prefix).ended;
  say(
    name,
    said.output.includes(version) && said.output.includes(commitOf(root)),
    `says ${said.output.trim()}`,
  );

  const fixtures = join(from, 'test', 'fixtures');
  const ending = name === 'scheduler' ? '-state.mdb.gz' : '-secrets.mdb.gz';
  for (const file of readdirSync(fixtures).filter((each) => each.endsWith(ending))) {
    const earlier = file.slice(0, -ending.length);
    const data = join(prefix, `data-${earlier}`);
    mkdirSync(data, { mode: 0o700 });
    const store = join(data, ending.slice(1, -3));
    writeFileSync(store, gunzipSync(readFileSync(join(fixtures, file))), { mode: 0o600 });
    const use = name === 'scheduler' ? useScheduler : useSecrets;
    say(
      name,
      await use(bin, prefix, data),
      `starts on the data directory of ${earlier}, and has what is in it`,
    );
    const refused = await refuseLater(name, bin, prefix, data, store);
    say(
      name,
      refused.includes('another version of this server'),
      `refuses one of a later version: ${refused}`,
    );
  }

  for (const scope of ['@grpc', '@bufbuild'])
    rmSync(join(prefix, 'node_modules', scope), { recursive: true });
  const without =
    name === 'scheduler'
      ? start(bin, ['agent', ...anyPort, '--etcd-endpoint', 'http://127.0.0.1:1'], prefix)
      : start(
          bin,
          [
            'server',
            '--config',
            config(prefix, 'etcd', 'storage "etcd" { endpoints = ["http://127.0.0.1:1"] }'),
          ],
          prefix,
        );
  const { output, code } = await without.ended;
  const line = output.split('\n').find((each) => each.includes('which etcd needs')) ?? output;
  say(name, code === 1 && line.includes('is not installed'), `without the clients of etcd: ${line}`);
}

/**
 * @param {string} bin
 * @param {string} prefix
 * @param {string} data
 */
async function useScheduler(bin, prefix, data) {
  const server = start(bin, ['agent', '--data-dir', data, ...anyPort], prefix);
  const address = await server.seen(/Listening on (http:[^\s,]+)/);
  const jobs = /** @type {{ ID: string }[]} */ (
    await (await fetch(`${address}/v1/jobs?namespace=apps`)).json()
  );
  const page = await fetch(`${address}/ui/`);
  server.child.kill('SIGTERM');
  return (await server.ended).code === 0 && jobs[0]?.ID === 'web' && page.status === 200;
}

/**
 * @param {string} bin
 * @param {string} prefix
 * @param {string} data
 */
async function useSecrets(bin, prefix, data) {
  const server = start(
    bin,
    ['server', '--config', config(prefix, 'lmdb', `storage "lmdb" { path = "${data}" }`)],
    prefix,
  );
  const address = await server.seen(/Listening on (http:[^\s,]+)/);
  const init = /** @type {{ initialized: boolean }} */ (await (await fetch(`${address}/v1/sys/init`)).json());
  const unsealed = await fetch(`${address}/v1/sys/unseal`, {
    method: 'PUT',
    body: JSON.stringify({ key: cacheKey }),
  });
  server.child.kill('SIGTERM');
  return (await server.ended).code === 0 && init.initialized === true && unsealed.status === 200;
}

/**
 * Makes the store one of a later version, and says what the server says of it.
 *
 * @param {string} name
 * @param {string} bin
 * @param {string} prefix
 * @param {string} data
 * @param {string} store
 */
async function refuseLater(name, bin, prefix, data, store) {
  const { open } = createRequire(join(prefix, 'package.json'))('lmdb');
  const db = open({
    path: store,
    noSubdir: true,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
  });
  const key = Buffer.from(name === 'scheduler' ? '\0format' : 'core/keyring');
  const found = Buffer.from(db.get(key));
  if (name === 'scheduler') found.write('9', found.length - 1);
  else found[0] = 9;
  await db.put(key, found);
  await db.close();
  if (name === 'scheduler')
    return (
      (await start(bin, ['agent', '--data-dir', data, ...anyPort], prefix).ended).output
        .trim()
        .split('\n')
        .at(-1) ?? ''
    );
  const keyFile = join(prefix, 'unseal.key');
  writeFileSync(keyFile, cacheKey, { mode: 0o600 });
  const file = config(
    prefix,
    'later',
    `storage "lmdb" { path = "${data}" }\nseal { key_file = "${keyFile}" }`,
  );
  return (
    (await start(bin, ['server', '--config', file], prefix).ended).output.trim().split('\n').at(-1) ?? ''
  );
}

/**
 * @param {string} prefix
 * @param {string} name
 * @param {string} storage
 */
function config(prefix, name, storage) {
  const file = join(prefix, `${name}.hcl`);
  writeFileSync(file, `${storage}\nlistener "tcp" {\n  address = "127.0.0.1:0"\n  tls_disable = true\n}\n`);
  return file;
}

/**
 * @param {string} bin
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function start(bin, args, cwd) {
  const child = spawn(process.execPath, [bin, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  /** @type {Set<() => void>} */
  const waiting = new Set();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      for (const look of waiting) look();
    });
  }
  /** @type {Promise<{ code: number | null, output: string }>} */
  const ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
  /** @type {(pattern: RegExp) => Promise<string>} */
  const seen = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      waiting.add(look);
      void ended.then(() => reject(new Error(`it ended without ${pattern}:\n${output}`)));
      look();
    });
  return { child, ended, seen };
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
async function npm(args, cwd) {
  const { code, output } = await runNpm(args, { cwd });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`);
}

/**
 * Files and their bytes below a folder.
 *
 * @param {string} below
 * @returns {[number, number]}
 */
function measure(below) {
  const files = readdirSync(below, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return [
    files.length,
    files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0),
  ];
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * @param {string} name
 * @param {boolean} isWell
 * @param {string} text
 */
function say(name, isWell, text) {
  if (!isWell) failed += 1;
  process.stdout.write(`${isWell ? 'ok  ' : 'FAIL'}  ${name}: ${text}\n`);
}
