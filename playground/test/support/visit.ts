import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';

/** A page of the playground. Collects its complaints: policy violations and uncaught errors. */
export interface Visit {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Requests that went anywhere but to the playground's own files. */
  readonly external: readonly string[];
}

/** Opens the playground and waits until its first rows are there. */
export async function visit(
  browser: Browser,
  { fragment = '', ...options }: BrowserContextOptions & { readonly fragment?: string } = {},
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  const external: string[] = [];
  const { address } = inject('site');
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('blob:'))
      external.push(request.url());
  });
  await page.goto(`${address}${fragment}`);
  await page.locator('.cm-content').waitFor();
  // Waits until the first filter is there: earlier input would be added to it.
  if (fragment === '') await page.locator('.count', { hasText: '15 of 48 rows' }).waitFor();
  return { page, complaints, external };
}

/** Drops a file onto the page. */
export async function dropFile(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ fileName, text }) => {
      const data = new DataTransfer();
      data.items.add(new File([text], fileName));
      return data;
    },
    { fileName: name, text: content },
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}
