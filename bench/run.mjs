// The benchmarks of the engine as it is built in dist/. `npm run bench -- --help` says what they can do.
//
// The harness is TypeScript. It is compiled here file by file, without a loader: under tsx functions keep their names at
// a price, which would be measured too.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const bench = dirname(fileURLToPath(import.meta.url));
const cache = join(dirname(bench), '.cache', 'bench');
const dayMs = 86_400_000;

const sources = readdirSync(bench, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(bench, path), 'utf8') }));
const hash = createHash('sha256')
  .update(JSON.stringify([process.versions.node, sources]))
  .digest('hex')
  .slice(0, 16);
// A folder of its own for each state of the sources, so that a run keeps its code whatever is edited meanwhile.
const target = join(cache, hash, 'dist');
if (!existsSync(target)) await compile();
removeOld();
await import(pathToFileURL(join(target, 'main.js')).href);

async function compile() {
  const { default: ts } = await import('typescript');
  const next = join(cache, `${hash}.${process.pid}`, 'dist');
  for (const { path, text } of sources) {
    const { outputText } = ts.transpileModule(text, {
      fileName: path,
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        verbatimModuleSyntax: true,
      },
    });
    const file = join(next, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  }
  mkdirSync(dirname(target), { recursive: true });
  try {
    renameSync(next, target);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(target)) throw error;
  }
  rmSync(dirname(next), { recursive: true, force: true });
}

/** What was compiled more than a day ago is of no run that still goes on. */
function removeOld() {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (name !== hash && Date.now() - statSync(folder).mtimeMs > dayMs) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
