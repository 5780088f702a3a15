// Installs the packages and builds the engine and the servers, as far as they are out of date.
//
//   node scripts/setup.mjs
//   node scripts/setup.mjs --force       build everything again (npm run build)
//   node scripts/setup.mjs --to-start    only what `npm start` needs
import { prepare } from './prepare.mjs';

await prepare({ force: process.argv.includes('--force'), toStart: process.argv.includes('--to-start') });
