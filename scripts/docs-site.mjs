// npm run docs:site: builds the documentation site into extra/site/dist: the Markdown pages of the repository, the API reference
// below api/ and the playground below playground/. The scheduler serves that folder at /docs/; any web server can.
//
//   node scripts/docs-site.mjs
//   node scripts/docs-site.mjs --base /    for a host that serves it at its root
//   node scripts/docs-site.mjs --pages     only the pages, with the API reference and the playground of the last build
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { prepare, prepareExtras, root } from './prepare.mjs';

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/docs/' }, pages: { type: 'boolean', default: false } },
});
if (!/^\/([\w-]+\/)*$/.test(values.base)) {
  process.stderr.write(`docs-site: --base must begin and end with /, got ${values.base}\n`);
  process.exit(2);
}
await prepare();
await prepareExtras(['extra/site', 'extra/typedoc']);
const site = join(root, 'extra/site');
const [api, playground] = [join(root, 'docs/api'), join(root, 'playground/dist')];
if (!values.pages || !existsSync(api)) await run('extra/typedoc/node_modules/typedoc/bin/typedoc');
if (!values.pages || !existsSync(playground)) await run('scripts/playground.mjs', '--build');

const pages = join(site, 'pages');
rmSync(pages, { recursive: true, force: true });
const { stagePages } = await import('./site-pages.mjs');
await stagePages(pages);
process.env['SITE_BASE'] = values.base;
await run('extra/site/node_modules/vitepress/bin/vitepress.js', 'build', site);
for (const [from, name] of /** @type {const} */ ([
  [api, 'api'],
  [playground, 'playground'],
])) {
  mkdirSync(join(site, 'dist', name), { recursive: true });
  cpSync(from, join(site, 'dist', name), { recursive: true });
}
process.stdout.write(`The site is in ${join('extra', 'site', 'dist')}; \`npm start\` serves it at /docs/.\n`);

/**
 * Runs a script of the repository; ends the process with its output if it fails.
 *
 * @param {string} script
 * @param {...string} args
 */
async function run(script, ...args) {
  const { code, output } = await runNode([join(root, script), ...args], { cwd: root });
  if (code === 0) return;
  process.stderr.write(`${output}docs-site: ${script} failed (exit code ${code})\n`);
  process.exit(1);
}
