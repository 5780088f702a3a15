// npm run test:fast: the way to work. Runs on the sources, so that nothing is built first.
//
//   npm run test:fast                          the units that what you changed can touch, since the branch left its upstream
//   npm run test:fast -- --all                 all units: no properties, processes, sockets, etcd, browsers
//   npm run test:fast -- test/lint a.test.ts   these files, whatever they need
//   npm run test:fast -- --project etcd        other flags are passed to vitest; scripts/suites.mjs lists the suites
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { prepare, root } from './prepare.mjs';

const given = process.argv.slice(2);
const all = given.includes('--all');
const args = given.filter((each) => each !== '--all');
const named = args.length > 0;

// Only the suites of the package and the pages need a build.
await prepare({ build: args.some((each) => /packed|^package$|console|playground/.test(each)) });
const units = named ? [] : ['--project', 'units', '--passWithNoTests'];
const changed = named || all ? [] : ['--changed', whereTheBranchBegan()];
const { code } = await runNode(
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...units, ...changed, ...args],
  { cwd: root, echo: true },
);
process.exitCode = code;

/** The commit where the branch left its upstream; without one, HEAD: what is not committed counts. */
function whereTheBranchBegan() {
  try {
    return execFileSync('git', ['merge-base', 'HEAD', '@{upstream}'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'HEAD';
  }
}
