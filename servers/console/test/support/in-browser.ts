import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { browserPath, launch, whyNoBrowser } from '../../../../test/support/browser.js';
import type { Visit } from './visit.js';

/** Tests that need a browser, shared by all of them; skipped with the reason if there is no browser. */
export function describeInBrowser(name: string, tests: (browser: () => Browser) => void): void {
  const isMissing = browserPath === null;
  describe.skipIf(isMissing)(isMissing ? `${name} (${whyNoBrowser})` : name, () => {
    let browser: Browser | null = null;
    beforeAll(async () => {
      browser = await launch();
    });
    afterAll(async () => {
      await browser?.close();
    });
    tests(() => {
      if (browser === null) throw new Error('the browser has not been started');
      return browser;
    });
  });
}

/** The page has no blocked requests, no exceptions, and no requests to other origins. */
export function expectCalm({ complaints, external: unknownPeers }: Visit): void {
  expect({ complaints, external: unknownPeers }).toEqual({ complaints: [], external: [] });
}
