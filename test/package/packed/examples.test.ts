import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../examples/', import.meta.url);
const run = promisify(execFile);

// Also proof that nothing in the package makes code out of text.
const flags = ['--disallow-code-generation-from-strings'];

describe('every example prints what it says', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.mjs')))('%s', async (name) => {
    const file = fileURLToPath(new URL(name, folder));
    const { stdout } = await run(process.execPath, [...flags, file]);
    const [, comment = ''] = readFileSync(file, 'utf8').split('\n// Prints:\n');
    expect(comment).not.toBe('');
    expect(stdout.trimEnd()).toBe(comment.replace(/^\/\/ ?/gm, '').trimEnd());
  });
});
