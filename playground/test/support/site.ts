import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { browserPath } from '../../../test/support/browser.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the playground, and the folder of its static files; empty without a browser to look at it. */
    readonly site: { readonly address: string; readonly folder: string };
  }
}

let end = (): Promise<void> => Promise.resolve();

/** Builds the static files and serves them as `npm run playground` does, once for all tests. */
export async function setup({ provide }: TestProject): Promise<void> {
  if (browserPath === null) {
    provide('site', { address: '', folder: '' });
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tamis-playground-'));
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  const shared = { configFile, logLevel: 'error', build: { outDir: folder } } as const;
  await build(shared);
  const server = await preview({ ...shared, preview: { host: '127.0.0.1', port: 0 } });
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) throw new Error('the preview server has no address');
  provide('site', { address, folder });
  end = async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

export async function teardown(): Promise<void> {
  await end();
}
