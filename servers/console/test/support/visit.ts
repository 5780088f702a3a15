import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** A page of the console. Collects its complaints: policy violations and uncaught errors. */
export interface Visit {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Requests that went anywhere but to the agent. */
  readonly external: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** The token that the tab has; none where it is left out. */
  readonly token?: string;
}

/** Opens a page of the console: `jobs`, `jobs?filter=…`. Nothing is waited for. */
export async function visit(
  browser: Browser,
  origin: string,
  path: string,
  { token = '', ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(options);
  // A page that stays open keeps its connections, of which an agent allows so many from one address.
  onTestFinished(() => context.close());
  if (token !== '')
    await context.addInitScript((given) => {
      sessionStorage.setItem('scheduler-token', given);
    }, token);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  const unknownPeers: string[] = [];
  page.on('console', (message) => {
    // The browser itself reports each error response, which some tests are about.
    const isRefusal = /^Failed to load resource: the server responded with a status of/.test(message.text());
    if (!isRefusal && (message.type() === 'error' || message.type() === 'warning'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) unknownPeers.push(request.url());
  });
  await page.goto(`${origin}/ui/${path}`);
  return { page, complaints, external: unknownPeers };
}

/** The texts of a column of the rows that are drawn, by its title. */
export async function columnTexts(page: Page, title: string): Promise<string[]> {
  const titles = await page.locator('thead th').allTextContents();
  const at = titles.findIndex((text) => text.startsWith(title)) + 1;
  return page.locator(`tbody tr > :nth-child(${at})`).allTextContents();
}

/** Presses a button with a confirmation, and then the confirming one. */
export async function act(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}
