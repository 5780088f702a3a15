import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, cpSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { defineSchema, t } from 'tamis';
import { listEndpoint } from 'tamis/http';
import { createTable } from 'tamis/table';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { weigh, type Imports } from '../../../bench/size.js';
import { findPackedMistakes, readTarball } from '../../../scripts/packed.mjs';
import { audit, browserPath, launch, overflowOf, whyNoBrowser } from '../../support/browser.js';
import { noteOfExtra, whyExtraMissing } from '../../support/extra.js';
import { npm } from './tarball.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const extra = 'extra/filter-box';
const hasFrameworks = whyExtraMissing(extra) === null;
const folder = mkdtempSync(join(tmpdir(), 'tamis-filter-box-'));
let tarball = '';

beforeAll(() => {
  npm(['pack', '--silent', '--pack-destination', folder], join(root, 'ui'));
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  npm(
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', inject('tarball'), tarball],
    folder,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball of the filter box', () => {
  it('can be installed by itself, with the grammar compiled and types for each entry', () => {
    const files = readTarball(readFileSync(tarball));
    expect(findPackedMistakes(files)).toEqual([]);
    const { exports } = JSON.parse(String(files.get('package.json'))) as {
      exports: Record<string, string | { types: string; default: string }>;
    };
    const named = Object.values(exports).flatMap((each) =>
      typeof each === 'string' ? [each] : [each.types, each.default],
    );
    expect([...files.keys()]).toEqual(expect.arrayContaining(named.map((path) => path.slice(2))));
    expect([...files.keys()].filter((path) => /grammar/.test(path))).toEqual([]);
  });

  it('can be imported where there are no elements, as for rendering on a server', async () => {
    const { TamisFilter } = (await import(join(folder, 'node_modules/@tamis/filter-box/dist/index.js'))) as {
      TamisFilter: { formAssociated: boolean };
    };
    expect(TamisFilter.formAssociated).toBe(true);
  });

  /** The parts of the engine that the package imports. */
  const engine: Imports = {
    '.': 'FilterError, parseSchema',
    client: 'ClientError, listClient',
    editor: 'complete, createFieldCatalog, diagnostics, format, hover',
    lint: 'lint',
  };
  it.each([
    { entry: 'the element', imports: { '@tamis/filter-box': 'TamisFilter' }, max: 120 },
    { entry: 'the plain input', imports: { '@tamis/filter-box/plain': 'enhanceFilterInput' }, max: 8 },
  ])('adds at most $max kB of gzip to the engine for $entry', async ({ imports, max }) => {
    const program = { name: '', place: 'browser', imports, baseline: engine, max } as const;
    const { compressed } = await weigh(program, folder);
    expect(compressed / 1000).toBeLessThan(max);
    expect(compressed / 1000).toBeGreaterThan(1);
  });
});

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
].join('; ');

const bodies = {
  plain: `<main><h1>Plain</h1><form><label for="box">Jobs to show</label>
<tamis-filter id="box" name="filter" required history-key="jobs" placeholder="Status == running"></tamis-filter>
<button>Apply</button></form><label>Short <input id="input"></label></main>`,
  list: '<main><h1>List</h1><tamis-filter id="box" label="Filter" endpoint="/v1/jobs"></tamis-filter></main>',
  react: '<div id="app"></div>',
  vue: '<div id="app"></div>',
};

/** The template of the page for Vue, compiled as the plugins of bundlers do it. */
const template: Plugin = {
  name: 'template',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^virtual:template$/ }, () => ({ path: 'template', namespace: 'template' }));
    onLoad({ filter: /.*/, namespace: 'template' }, () => {
      const { compile } = createRequire(join(root, extra, 'package.json'))('@vue/compiler-dom') as {
        compile: (text: string, options: object) => { code: string };
      };
      const text = `<main><h1>Vue</h1>
        <tamis-filter label="Filter of jobs" :schema="schema" :value="value" @change="value = $event.detail.value" @submit="submit" />
        <p id="value">{{ value }}</p><p id="applied">{{ applied }}</p></main>`;
      const isCustomElement = (tag: string): boolean => tag === 'tamis-filter';
      const { code } = compile(text, { mode: 'module', isCustomElement });
      return { contents: code, resolveDir: folder };
    });
  },
};

describe.runIf(browserPath !== null)(
  `the filter box in a browser${browserPath === null ? ` (${whyNoBrowser})` : ''}`,
  () => {
    let browser: Browser;
    let server: Server;
    let address = '';
    beforeAll(async () => {
      cpSync(join(root, 'test/package/packed/filter-box-pages'), folder, { recursive: true });
      writeFileSync(join(folder, 'list.js'), "import '@tamis/filter-box';\n");
      const pages = hasFrameworks ? ['plain', 'list', 'react', 'vue'] : ['plain', 'list'];
      await build({
        absWorkingDir: folder,
        entryPoints: pages.map((name) => `${name}.js`),
        bundle: true,
        format: 'esm',
        outdir: 'out',
        nodePaths: [join(root, extra, 'node_modules')],
        define: {
          'process.env.NODE_ENV': '"production"',
          __VUE_OPTIONS_API__: 'true',
          __VUE_PROD_DEVTOOLS__: 'false',
          __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
        },
        plugins: [template],
      });
      const schema = defineSchema({ ID: t.string, Status: t.string, Priority: t.int });
      const jobs = createTable(schema, { key: 'ID', indexes: ['Status'] });
      for (const Status of ['running', 'dead', 'held']) jobs.put({ ID: Status, Status, Priority: 50 });
      const endpoint = listEndpoint(jobs);
      server = createServer((request, response) => {
        const path = new URL(request.url ?? '', 'http://localhost').pathname;
        if (path.startsWith('/v1/')) return void endpoint.node(request, response);
        if (path === '/favicon.ico') return void response.writeHead(204).end();
        const isPage = Object.hasOwn(bodies, path.slice(1));
        const types = { '.js': 'text/javascript', '.css': 'text/css' } as const;
        const type = isPage ? 'text/html' : types[path.endsWith('.css') ? '.css' : '.js'];
        response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
        const name = path.slice(1) as keyof typeof bodies;
        if (isPage)
          response.end(
            `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><meta name="viewport" content="width=device-width">` +
              `<link rel="stylesheet" href="/page.css"><body>${bodies[name]}<script type="module" src="/${name}.js"></script>`,
          );
        else if (path === '/page.css')
          response.end(':root { color-scheme: light dark; font: 15px system-ui } body { margin: 24px 12px }');
        else response.end(readFileSync(join(folder, 'out', path)));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await launch();
    });
    afterAll(async () => {
      await browser.close();
      server.close();
    });

    async function open(
      name: keyof typeof bodies,
      options: BrowserContextOptions = {},
    ): Promise<{ page: Page; complaints: string[] }> {
      const page = await (await browser.newContext(options)).newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        // The browser reports each error response.
        if (message.type() === 'error' && !/status of 400/.test(message.text()))
          complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${address}/${name}`);
      await page.locator('.cm-content').waitFor();
      return { page, complaints };
    }
    const events = (page: Page): Promise<unknown[][]> =>
      page.evaluate(() => (globalThis as unknown as { events: unknown[][] }).events);
    const value = (page: Page): Promise<string> =>
      page.locator('tamis-filter').evaluate((box) => (box as unknown as { value: string }).value);

    it('reports edits and submits the form on Enter', async () => {
      const { page, complaints } = await open('plain');
      await page.getByRole('button', { name: 'Apply' }).click();
      expect(await events(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Jobs to show' }).click();
      await page.keyboard.type('Status == dead');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await expect.poll(() => events(page)).toContainEqual(['form', { filter: 'Status == dead' }]);
      const all = await events(page);
      expect(all).toContainEqual(['submit', { value: 'Status == dead', error: null }]);
      expect(all.filter(([type]) => type === 'change').at(-1)).toEqual([
        'change',
        { value: 'Status == dead', error: null },
      ]);
      await page.locator('form').evaluate((form) => (form as unknown as { reset: () => void }).reset());
      expect(await value(page)).toBe('');
      await page.locator('.cm-content').click();
      await page.keyboard.press('Alt+ArrowUp');
      expect(await value(page)).toBe('Status == dead');
      expect(complaints).toEqual([]);
    });

    it('completes fields and values, and corrects a misspelt field by a click', async () => {
      const { page, complaints } = await open('plain');
      await page.locator('.cm-content').click();
      await page.keyboard.type('Stat');
      const options = page.getByRole('listbox').getByRole('option');
      await options.first().click();
      await expect.poll(() => value(page)).toBe('Status ');
      await page.keyboard.press('Escape');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Stauts == "running" and Pri');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('there is no such field').waitFor();
      expect(await page.locator('.filter-mark-error').first().textContent()).toBe('Stauts');
      await expect.poll(() => page.locator('.filter-fix').allTextContents()).toEqual(['write Status']);
      await page.getByRole('button', { name: 'write Status' }).click();
      expect(await value(page)).toBe('Status == "running" and Pri');
      const [last] = (await events(page)).filter(([type]) => type === 'submit');
      expect(last?.[1]).toMatchObject({ error: { severity: 'error' } });
      expect((await events(page)).some(([type]) => type === 'form')).toBe(false);
      expect(complaints).toEqual([]);
    });

    it('applies, saves and removes saved filters', async () => {
      const { page } = await open('plain');
      const save = page.getByRole('button', { name: 'Save filter' });
      expect(await save.isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Urgent', exact: true }).click();
      await expect.poll(() => events(page)).toContainEqual(['form', { filter: 'Priority >= 50' }]);
      expect(await save.isDisabled()).toBe(true);
      await page.locator('.cm-content').click();
      await page.keyboard.press('End');
      await page.keyboard.type('0');
      await save.click();
      await page.getByRole('button', { name: 'Remove Urgent' }).click();
      expect((await events(page)).slice(-2)).toEqual([
        ['save', { value: 'Priority >= 500' }],
        ['remove', { name: 'Urgent', filter: 'Priority >= 50' }],
      ]);
    });

    it('is named "Filter" for an empty label, and refuses saved filters without a name or a filter', async () => {
      const { page } = await open('list');
      const failures = await page.locator('tamis-filter').evaluate((element) => {
        const box = element as unknown as { saved: unknown; label: string };
        box.label = ' ';
        return [['Priority > 1'], [{ name: 'Urgent' }], [null], 'Urgent', undefined].map((saved) => {
          try {
            box.saved = saved;
            return null;
          } catch (error) {
            return String(error);
          }
        });
      });
      const message =
        'TypeError: TamisFilter: saved must be null or an array of { name, filter }, both strings.';
      expect(failures).toEqual([message, message, message, message, null]);
      await page.getByRole('textbox', { name: 'Filter', exact: true }).waitFor();
    });

    it('suggests and corrects in a plain input', async () => {
      const { page, complaints } = await open('plain');
      const input = page.getByRole('combobox', { name: 'Short' });
      await input.click();
      await page.keyboard.type('Prio');
      await page.getByRole('option', { name: /^Priority/ }).waitFor();
      await page.keyboard.press('Enter');
      expect(await input.inputValue()).toBe('Priority ');
      await page.keyboard.press('Escape');
      await input.fill('Stauts == dead');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'write Status' }).click();
      expect(await input.inputValue()).toBe('Status == dead');
      await expect.poll(() => input.getAttribute('aria-invalid')).toBe('false');
      expect(await audit(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('completes values from the facets of a list and shows its errors', async () => {
      const { page, complaints } = await open('list');
      await page.locator('.cm-content').click();
      await page.keyboard.type('Status == h');
      await page.getByRole('option', { name: 'held' }).click();
      expect(await value(page)).toMatch(/^Status == "?held"?$/);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Priorty == 5');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'write Priority' }).click();
      expect(await value(page)).toBe('Priority == 5');
      expect(complaints).toEqual([]);
    });

    it.runIf(hasFrameworks).each(['react', 'vue'] as const)(
      `takes and reports its value in a page of %s${noteOfExtra(extra)}`,
      async (name) => {
        const { page, complaints } = await open(name);
        expect(await value(page)).toBe('Status == "dead"');
        await page.getByRole('textbox', { name: 'Filter of jobs' }).click();
        await page.keyboard.press('End');
        await page.keyboard.type(' and Priority > 5');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Enter');
        const text = 'Status == "dead" and Priority > 5';
        await expect.poll(() => page.locator('#applied').textContent()).toBe(text);
        expect(await page.locator('#value').textContent()).toBe(text);
        if (name === 'react') {
          await page.keyboard.type('#');
          await expect.poll(() => value(page)).toBe(text);
        }
        expect(complaints).toEqual([]);
      },
    );

    it.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
      ['dark', 390],
    ] as const)(
      'passes axe in %s mode at %i pixels, empty, with an error and with completions',
      async (colorScheme, width) => {
        const { page } = await open('plain', { colorScheme, viewport: { width, height: 800 } });
        expect(await audit(page)).toEqual([]);
        await page.locator('.cm-content').click();
        await page.keyboard.type('Stauts == "x" and Priority > 1');
        await page.keyboard.press('Escape');
        await page.locator('.filter-fix').first().waitFor();
        expect(await audit(page)).toEqual([]);
        await page.keyboard.type(' and Sta');
        await page.getByRole('listbox').waitFor();
        expect(await audit(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
      },
    );

    it('hides the keyboard hints on touch screens', async () => {
      const { page } = await open('plain', { hasTouch: true, isMobile: true });
      expect(await page.locator('.filter-keyboard').isVisible()).toBe(false);
      expect(await page.locator('.filter-touch').isVisible()).toBe(true);
    });

    it('has a stable accessibility tree', async () => {
      const { page } = await open('plain');
      await page.locator('.cm-content').click();
      await page.keyboard.type('Stauts == "x"');
      await page.keyboard.press('Escape');
      await page.locator('.filter-fix').first().waitFor();
      expect(await page.locator('tamis-filter').ariaSnapshot()).toMatchInlineSnapshot(`
        "- textbox "Jobs to show" [invalid]
        - status:
          - paragraph:
            - text: Error there is no such field did you mean Status?
            - button "write Status"
        - group "Saved filters":
          - button "Urgent"
          - button "Remove Urgent": ×
          - button "Save filter" [disabled]"
      `);
    });
  },
);
