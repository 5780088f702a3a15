// npm run conformance: compares the engine with go-bexpr on the recorded vectors; `-- --help` lists its options.
import { runNode } from './command.mjs';
import { prepare, root } from './prepare.mjs';

await prepare();
const runner = ['--import', 'tsx', 'test/conformance/run.ts', ...process.argv.slice(2)];
const { code } = await runNode(runner, { cwd: root, show: true });
process.exitCode = code;
