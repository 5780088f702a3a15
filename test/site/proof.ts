// npm run proof:site: checks the built documentation site: links and anchors, and in Chromium, served by the scheduler, policy
// violations, accessibility, narrow windows, dark mode, the search and the playground.
//
//   npm run proof:site
//   npm run proof:site -- --pictures DIR    also saves pictures of some pages
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { audit, browserPath, filterText, launch, overflowOf, whyNoBrowser } from '../support/browser.js';

const { values } = parseArgs({ options: { pictures: { type: 'string' } } });
const folder = fileURLToPath(new URL('../../extra/site/dist/', import.meta.url));
const files = new Set(
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
);
const problems: string[] = [];

/** The pages that are opened in the browser: one of each kind. */
const opened = [
  'index.html',
  'overview.html',
  'guides/watches.html',
  'guides/filter-box.html',
  'language.html',
  'errors.html',
  'http-lists.html',
  'reference.html',
  'scheduler/index.html',
  'secrets/several-servers.html',
];

checkLinks();
process.stdout.write(`links: ${files.size} files, ${problems.length} problems\n`);
if (browserPath === null) problems.push(whyNoBrowser);
else await checkInBrowser();
process.stdout.write(problems.map((each) => `${each}\n`).join(''));
process.stdout.write(`site: ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Reports links of the pages to files and anchors that do not exist. */
function checkLinks(): void {
  const pages = new Map(
    [...files]
      .filter((name) => name.endsWith('.html') && !/^(api|playground)\//.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const anchors = new Map([...pages].map(([name, html]) => [name, idsOf(html)]));
  for (const [name, html] of pages) {
    for (const [, link = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:|javascript:)/.test(link)) continue;
      const [path = '', anchor] = link.replaceAll('&amp;', '&').split('#');
      const target = path === '' ? name : fileOf(posix.resolve('/docs', posix.dirname(name), path), path);
      if (target === null) problems.push(`${name}: ${link} leads to no file`);
      else if (
        anchor !== undefined &&
        anchor !== '' &&
        anchors.get(target)?.has(decodeURIComponent(anchor)) === false
      )
        problems.push(`${name}: ${link} leads to no anchor`);
    }
  }
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
}

/** The file of an absolute path on the site; null if none exists. */
function fileOf(path: string, written: string): string | null {
  const name = path.replace(/^\/docs\/?/, '');
  const candidates = [name, `${name}.html`, posix.join(name, 'index.html')];
  if (name === '' || written.endsWith('/'))
    return files.has(posix.join(name, 'index.html')) ? posix.join(name, 'index.html') : null;
  return candidates.find((each) => files.has(each) && /\.\w+$/.test(each)) ?? null;
}

async function checkInBrowser(): Promise<void> {
  const { child, base } = await startScheduler();
  const browser = await launch();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        for (const name of opened) await checkPage(browser, { base, name, colorScheme, width });
      }
    }
    await checkSearch(browser, base);
    await checkPlayground(browser, base);
    await checkReference(browser, base);
  } finally {
    await browser.close();
    child.kill();
    await once(child, 'exit');
  }
}

/** Starts the built scheduler on free ports. Returns its process and the address of the site. */
async function startScheduler() {
  const program = fileURLToPath(new URL('../../servers/scheduler/dist/main.js', import.meta.url));
  const ports = ['--port', '0', '--rpc-port', '0', '--serf-port', '0'];
  const flags = ['agent', '--no-sample', '--log-level', 'error', ...ports];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(piece);
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (address !== undefined) return { child, base: `${address}/docs/` };
  }
  throw new Error('the scheduler ended');
}

interface View {
  readonly base: string;
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

async function checkPage(browser: Browser, { base, name, colorScheme, width }: View): Promise<void> {
  const title = `${name} (${colorScheme}, ${width} px)`;
  const page = await open(browser, `${base}${name}`, { colorScheme, viewport: { width, height: 900 } });
  const isDark = await page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { classList: Set<string> & { contains(name: string): boolean } } };
    };
    return document.documentElement.classList.contains('dark');
  });
  if (isDark !== (colorScheme === 'dark')) problems.push(`${title}: has the wrong colours`);
  const overflow = await overflowOf(page);
  if (overflow > 0) problems.push(`${title}: is ${overflow} px wider than the window`);
  for (const violation of await audit(page)) problems.push(`${title}: ${violation}`);
  if (values.pictures !== undefined)
    await page.screenshot({
      path: join(values.pictures, `${name.replaceAll('/', '-')}-${colorScheme}-${width}.png`),
    });
  await page.context().close();
}

async function checkSearch(browser: Browser, base: string): Promise<void> {
  const page = await open(browser, base);
  await page.locator('#local-search button').click();
  await page.locator('#localsearch-input').fill('next_token');
  const results = page.locator('#localsearch-list .result');
  await results.first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\.html/);
  await page.context().close();
}

/** A filter of the language reference opens in the playground with the example rows. */
async function checkPlayground(browser: Browser, base: string): Promise<void> {
  const page = await open(browser, `${base}language.html`);
  const link = page.locator('a[data-filter]').nth(20);
  const filter = await link.getAttribute('data-filter');
  await link.hover();
  await page.waitForFunction((at) => {
    const { document } = globalThis as unknown as {
      document: { querySelectorAll(selector: string): ArrayLike<{ hash: string }> };
    };
    return document.querySelectorAll('a[data-filter]')[at]?.hash !== '';
  }, 20);
  await link.click();
  await page.locator('.count', { hasText: 'of 3 rows in' }).waitFor();
  if ((await filterText(page)) !== filter)
    problems.push(`playground: has the filter ${await filterText(page)}, not ${filter}`);
  await page.context().close();
}

async function checkReference(browser: Browser, base: string): Promise<void> {
  const page = await open(browser, `${base}reference.html`);
  await page.locator('main a', { hasText: 'tamis/access' }).first().click();
  await page.locator('h1', { hasText: 'access' }).waitFor();
  await page.context().close();
}

/** Opens a page, and collects its policy violations, errors and requests to other hosts. */
async function open(browser: Browser, address: string, options: object = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${String(error)}`));
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(address).host && !/^(data|blob):/.test(request.url()))
      problems.push(`${page.url()}: requests ${request.url()}`);
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  return page;
}
