// npm run typecheck: the engine, the scripts and each workspace, which see the engine as it is built.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './command.mjs';
import { workspaceFolders } from './packages.mjs';
import { prepare, root } from './prepare.mjs';

await prepare();
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const projects = ['.', 'scripts', ...workspaceFolders(root)].filter((folder) =>
  existsSync(join(root, folder, 'tsconfig.json')),
);
for (const project of projects) {
  process.stderr.write(`typecheck: ${project}\n`);
  const { code } = await runNode([tsc, '--noEmit', '--project', project], { cwd: root, show: true });
  if (code !== 0) process.exitCode = code;
}
