import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { browserPath } from '../../../../test/support/browser.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the console's static files; empty without a browser to look at it. */
    readonly consoleFolder: string;
  }
}

let folder = '';

/** Builds the console as it is, once for all tests. */
export async function setup({ provide }: TestProject): Promise<void> {
  if (browserPath !== null) {
    folder = mkdtempSync(join(tmpdir(), 'tamis-console-'));
    const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
    await build({ configFile, logLevel: 'error', build: { outDir: folder } });
  }
  provide('consoleFolder', folder);
}

export function teardown(): void {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
}
