// npm run check: types, lint, format and vocabulary, as many at a time as there are cores. Each reports when it is done.
//
//   node scripts/check.mjs            everything
//   node scripts/check.mjs types      only types, with tsc, which skips a program that has not changed since the last run
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { workspaceFolders } from './packages.mjs';
import { prepare, root } from './prepare.mjs';

/** Each folder with a tsconfig.json is a program of its own. */
const programs = ['.', ...new Set(['scripts', ...workspaceFolders(root)])].filter((folder) =>
  existsSync(join(root, folder, 'tsconfig.json')),
);
const types = programs.map((folder) => ({
  title: `types of ${nameOf(folder)}`,
  // TypeScript 7, which is ten times as fast; what needs the compiler as a library has TypeScript 6.
  args: [script('typescript-native/bin/tsc'), '--noEmit', '--project', folder],
}));
/** Checks types too, of each file once: a program of tsc checks again the sources of the engine that it imports. */
const lint = {
  title: 'types and lint',
  args: [script('oxlint/bin/oxlint'), '--type-check'],
};
const format = {
  title: 'format',
  args: [script('prettier/bin/prettier.cjs'), '--log-level', 'warn', '--check', '.'],
};

/** The words of identifiers, comments, test titles and Markdown. */
const words = { title: 'words', args: [join(root, 'scripts/words.mjs')] };

await prepare();
const waiting = process.argv[2] === 'types' ? types : [lint, format, words];
await Promise.all(Array.from({ length: availableParallelism() }, work));

async function work() {
  for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
    const { code, output } = await runNode(task.args, { cwd: root });
    process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${task.title}\n${output}`);
    if (code !== 0) process.exitCode = 1;
  }
}

/** @param {string} folder */
function nameOf(folder) {
  return folder === '.' ? 'the engine' : folder;
}

/** @param {string} path below node_modules */
function script(path) {
  return join(root, 'node_modules', path);
}
