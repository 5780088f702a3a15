// npm start: sets the checkout up, then serves the scheduler with its sample cluster on 127.0.0.1:4646.
// Further arguments go to the scheduler: npm start -- --port 5000
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './end-with-npm.mjs';
import { prepare, root } from './prepare.mjs';

const folder = join(root, 'servers', 'scheduler');

await prepare({ toStart: 'servers/scheduler' });
const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const main = join(folder, bin.scheduler);
if (!existsSync(main)) {
  process.stderr.write(`start: ${main} is missing although the build went well; run \`npm run build\`.\n`);
  process.exit(1);
}
// Loaded into this process, not spawned: signals and the exit code are the scheduler's own.
process.argv = [process.execPath, main, 'agent', ...process.argv.slice(2)];
await import(pathToFileURL(main).href);
