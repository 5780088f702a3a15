// npm run proof:frameworks: runs the programs of examples/frameworks with the real frameworks of extra/frameworks, sends them
// requests, and validates and renders an OpenAPI document.
//
//   npm run proof:frameworks
//   npm run proof:frameworks -- express mcp     only some of them
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { callTool } from './mcp-client.js';
import { queryGraphql, queryTrpc } from './rpc-clients.js';
import { checkDocument } from './openapi-document.js';
import { requestList, checkLongLists } from './list-requests.js';
import { Problems, type Check, type Example, type Jobs, type Pool } from './support.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const extra = join(root, 'extra/frameworks');
const folder = mkdtempSync(join(tmpdir(), 'tamis-frameworks-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

installPackages();
cpSync(join(root, 'examples/frameworks'), folder, { recursive: true });
await compileDecorators('nest');

const load = async (name: string): Promise<unknown> => import(pathToFileURL(join(folder, name)).href);
const own = (name: string): Promise<unknown> => {
  const require = createRequire(join(folder, 'jobs.mjs'));
  return import(pathToFileURL(require.resolve(name).replace(/\.cjs$/, '.js')).href);
};
const { jobs, options } = (await load('jobs.mjs')) as { jobs: Jobs; options: { pool: Pool } };
const { createPool } = (await own('tamis/query')) as { createPool: () => Pool };
options.pool = createPool(); // counts the requests that wait

const problems = new Problems();
process.on('warning', (warning) => problems.add('process', `${warning.name}: ${warning.message}`));
process.on('unhandledRejection', (error) => problems.add('process', String(error)));

const selected = process.argv.slice(2);
const names = [
  'express',
  'fastify',
  'hono',
  'nest',
  'next-route',
  'trpc',
  'graphql',
  'mcp',
  'long-lists',
  'openapi',
];
for (const name of names.filter((each) => selected.length === 0 || selected.includes(each))) {
  const checked = await runOne(name);
  process.stdout.write(`${name}${versionOf(name)}: ${checked.join(', ')}\n`);
}
process.stdout.write(problems.all.map((each) => `${each}\n`).join(''));
process.stdout.write(`frameworks: ${problems.all.length} problems\n`);
process.exit(problems.all.length === 0 ? 0 : 1);

async function runOne(name: string): Promise<readonly string[]> {
  const check = problems.of(name);
  if (name === 'long-lists') return checkLongLists(check, own);
  if (name === 'openapi') return checkDocument(check, own, extra);
  const module = (await load(name === 'nest' ? 'nest.mjs' : `${name}.mjs`)) as Example;
  if (name === 'next-route')
    return requestList(check, { url: 'http://next.example/v1/jobs', route: module }, jobs, options.pool);
  const { url, close } = await module.start(0);
  try {
    if (name === 'trpc') return await queryTrpc(check, url, jobs);
    if (name === 'graphql') return await queryGraphql(check, url);
    if (name === 'mcp') return await callTool(check, url, own);
    const checked = await requestList(check, { url }, jobs, options.pool);
    return name === 'nest' ? [...checked, ...(await callNest(check, url))] : checked;
  } finally {
    await close();
  }
}

/** Calls the method of the controller whose errors an exception filter handles. */
async function callNest(check: Check, url: string): Promise<readonly string[]> {
  const count = (filter: string, token: string): Promise<Response> =>
    fetch(`${url}/count?filter=${encodeURIComponent(filter)}`, { headers: { Authorization: token } });
  check('count', await (await count('Status == dead', 'Bearer w')).json(), { total: 1 });
  check('count of no caller', (await count('', 'x')).status, 401);
  const wrong = await count('Stauts == dead', 'Bearer w');
  check('exception filter', [wrong.status, /\^{6}/.test(await wrong.text())], [400, true]);
  return ['exception filter'];
}

/** Makes the packages of extra/frameworks and the built `tamis` available to the examples. */
function installPackages(): void {
  const packages = join(extra, 'node_modules');
  const target = join(folder, 'node_modules');
  mkdirSync(target);
  for (const name of readdirSync(packages).filter((each) => !each.startsWith('.')))
    symlinkSync(join(packages, name), join(target, name));
  symlinkSync(root, join(target, 'tamis'));
}

/** Compiles an example in TypeScript with decorators, as the compiler of its users does. */
async function compileDecorators(name: string): Promise<void> {
  const source = readFileSync(join(folder, `${name}.ts`), 'utf8');
  const { code } = await transform(source, {
    loader: 'ts',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  writeFileSync(join(folder, `${name}.mjs`), code);
}

/** The version of the package that an example is about; empty for checks without one. */
function versionOf(name: string): string {
  const packages: Readonly<Record<string, string>> = {
    nest: '@nestjs/core',
    trpc: '@trpc/server',
    mcp: '@modelcontextprotocol/sdk',
    openapi: 'swagger-ui-dist',
  };
  try {
    const path = join(extra, 'node_modules', packages[name] ?? name, 'package.json');
    return ` ${(JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version}`;
  } catch {
    return '';
  }
}
