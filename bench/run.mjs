// The benchmarks of the engine as it is built in dist/. `npm run bench -- --help` says what they can do.
//
// The harness is TypeScript. It is compiled here file by file, without a loader: under tsx functions keep their names at a price,
// which would be measured too. The names in the rows and the filters are drawn again for each run on the way.
import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const bench = dirname(fileURLToPath(import.meta.url));
/** In this folder, so that the compiled files find the libraries that are installed here. */
const cache = join(bench, '.cache');

const seed = readSeed() ?? addSeed();
// A folder of its own for each run and seed, so that a run keeps its code whatever is edited meanwhile.
const folder = join(cache, `${process.pid}-${seed}`);
const target = join(folder, 'dist');
removeOld();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const { compileHarness, readSources } = await loadCompiler();
compileHarness(readSources(bench), target, seed);
await import(pathToFileURL(join(target, 'main.js')).href);

/** The requested seed; 0 for one that the program itself will reject. */
function readSeed() {
  const options = { seed: { type: 'string' } };
  const { values } = parseArgs({ options, strict: false, allowPositionals: true });
  if (values.seed === undefined) return undefined;
  const seed = Number(values.seed);
  return Number.isSafeInteger(seed) ? seed : 0;
}

/** Draws a seed and passes it on. */
function addSeed() {
  const seed = randomInt(2 ** 31);
  process.argv.push(`--seed=${seed}`);
  return seed;
}

/** What compiles the rest is TypeScript too. */
async function loadCompiler() {
  const home = join(folder, 'compiler');
  for (const path of [
    'data/random',
    ...readdirSync(join(bench, 'names')).map((name) => `names/${name.slice(0, -3)}`),
  ]) {
    const text = readFileSync(join(bench, `${path}.ts`), 'utf8');
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    const file = join(home, `${path}.js`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, ts.transpileModule(text, { compilerOptions }).outputText);
  }
  return import(pathToFileURL(join(home, 'names/compile.js')).href);
}

/** Runs that were killed leave their folders. */
function removeOld() {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const [, pid] = /^(\d+)-\d+$/.exec(name) ?? [];
    if (pid === undefined || !isRunning(Number(pid)))
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
