// Installs the packages and builds the engine and the servers, as far as they are out of date.
//
//   node scripts/setup.mjs
//   node scripts/setup.mjs --force       build everything again (npm run build)
//   node scripts/setup.mjs --to-start servers/scheduler    only what starting it needs, as `npm start` does
//   node scripts/setup.mjs --extra extra/sql    also packages outside the workspaces: a folder of `extraFolders` or `namedFolders`
//                                            of prepare.mjs, or `all` of the first
import { parseArgs } from 'node:util';
import { prepare, prepareExtras } from './prepare.mjs';

const { values } = parseArgs({
  options: {
    force: { type: 'boolean' },
    'to-start': { type: 'string' },
    extra: { type: 'string', multiple: true, default: [] },
  },
});
await prepare({ force: values.force, toStart: values['to-start'] });
await prepareExtras(values.extra.includes('all') ? undefined : values.extra);
