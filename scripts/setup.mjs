// Installs the packages and builds the engine and the servers, as far as they are out of date.
//
//   node scripts/setup.mjs
//   node scripts/setup.mjs --force       build everything again (npm run build)
//   node scripts/setup.mjs --to-start servers/scheduler    only what starting it needs, as `npm start` does
import { parseArgs } from 'node:util';
import { prepare } from './prepare.mjs';

const { values } = parseArgs({ options: { force: { type: 'boolean' }, 'to-start': { type: 'string' } } });
await prepare({ force: values.force, toStart: values['to-start'] });
