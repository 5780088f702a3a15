// npm test: sets the checkout up, then runs every test and the conformance vectors.
// npm test -- test/syntax: sets it up and hands the arguments to vitest.
import { join } from 'node:path';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { prepare, root } from './prepare.mjs';

const args = process.argv.slice(2);
await prepare();
const vitest = await runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
  cwd: root,
  show: true,
});
let code = vitest.code;
if (args.length === 0) {
  // Runs even when a test failed: its counts are the last line of `npm test`.
  const conformance = await runNode(['--import', 'tsx', 'test/conformance/run.ts'], {
    cwd: root,
    show: true,
  });
  code ||= conformance.code;
}
process.exitCode = code;
