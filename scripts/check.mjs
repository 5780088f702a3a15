// npm run check: types, lint and format, as many at a time as there are cores. Each says what it found when it is done.
//
//   node scripts/check.mjs            everything
//   node scripts/check.mjs types      the engine, the scripts and each workspace, which see the engine as it is built
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { workspaceFolders } from './packages.mjs';
import { prepare, root } from './prepare.mjs';

/** @type {{ title: string, args: string[] }[]} the longest first */
const others = [
  { title: 'lint', args: [script('eslint/bin/eslint.js'), '.'] },
  { title: 'format', args: [script('prettier/bin/prettier.cjs'), '--log-level', 'warn', '--check', '.'] },
];
const types = [...new Set(['.', 'scripts', ...workspaceFolders(root)])]
  .filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))
  .map((folder) => ({
    title: `types of ${folder === '.' ? 'the engine' : folder}`,
    args: [script('typescript/bin/tsc'), '--noEmit', '--project', folder],
  }));

await prepare();
const waiting = process.argv[2] === 'types' ? types : [...others.slice(0, 1), ...types, ...others.slice(1)];
await Promise.all(Array.from({ length: availableParallelism() }, work));

async function work() {
  for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
    const { code, output } = await runNode(task.args, { cwd: root });
    process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${task.title}\n${output}`);
    if (code !== 0) process.exitCode = 1;
  }
}

/** @param {string} path below node_modules */
function script(path) {
  return join(root, 'node_modules', path);
}
