import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium, firefox, type Browser, type Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The one without windows first: it takes half the time of the whole Chromium for the same pages. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** The browser that pages are tried in: the one that `TEST_BROWSER` names, else the Chromium of the machine; null for none. */
export const browserPath: string | null =
  process.env['TEST_BROWSER'] ??
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable) ??
  null;

/** Whether it is Firefox, which has no protocol for what only Chromium's tools measure. */
export const isFirefox = /firefox/i.test(browserPath ?? '');

/** Why tests in a browser are skipped. */
export const whyNoBrowser = 'skipped: no chromium on the PATH (Debian package chromium-headless-shell)';

export async function launch(): Promise<Browser> {
  if (browserPath === null) throw new Error('there is no browser');
  if (isFirefox) return firefox.launch({ executablePath: browserPath, channel: 'moz-firefox' });
  return chromium.launch({
    executablePath: browserPath,
    // Containers seldom allow the sandbox, and the only pages here are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

/** Replaces the source in the filter box, key by key. */
export async function typeFilter(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(text);
  await page.keyboard.press('Escape');
}

/** The content of the filter box. */
export async function filterText(page: Page): Promise<string> {
  return (await page.locator('.cm-line').allTextContents()).join('\n');
}

/** By how many pixels a page overflows its width without the scroll bar. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number; clientWidth: number } };
    };
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  });
}

/** What axe finds, in words; the library is put in by the test, past the policy of the page. */
export async function audit(page: Page): Promise<string[]> {
  // What gets past the policy is a tool of Chromium's.
  if (isFirefox) return [];
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axeSource });
  await session.detach();
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: () => Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
