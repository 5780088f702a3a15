// npm run playground: builds the playground and serves it on 127.0.0.1, with the headers that it is meant to have.
// npm run playground:build: writes its static files to playground/dist, for any host.
//
//   node scripts/playground.mjs [--build] [--port 5173]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, preview } from 'vite';
import './end-with-npm.mjs';
import { prepare, root } from './prepare.mjs';

const { values } = parseArgs({
  options: { build: { type: 'boolean', default: false }, port: { type: 'string', default: '5173' } },
});
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write(`playground: --port must be a number from 0 to 65535, not ${values.port}\n`);
  process.exit(2);
}
await prepare();
const configFile = join(root, 'playground', 'vite.config.ts');
await build({ configFile, logLevel: 'warn' });
if (values.build) {
  process.stdout.write(`The playground is in ${join('playground', 'dist')}: copy that folder to any host.\n`);
} else {
  const options = { host: '127.0.0.1', port, strictPort: port !== 0 };
  const server = await preview({ configFile, preview: options }).catch((/** @type {Error} */ error) => {
    process.stderr.write(`playground: ${error.message}; choose another with --port\n`);
    process.exit(1);
  });
  process.stdout.write(`The playground: ${server.resolvedUrls?.local[0]}\n`);
}
