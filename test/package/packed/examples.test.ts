import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../examples/', import.meta.url);
const run = promisify(execFile);

// Also proof that nothing in the package makes code out of text. Fastify does, of its routes.
const flagsFor = (text: string): readonly string[] =>
  text.includes("from 'fastify'") ? [] : ['--disallow-code-generation-from-strings'];

describe('every example prints what it says', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.mjs')))('%s', async (name) => {
    const file = fileURLToPath(new URL(name, folder));
    const text = readFileSync(file, 'utf8');
    const { stdout } = await run(process.execPath, [...flagsFor(text), file]);
    const [, comment = ''] = text.split('\n// Prints:\n');
    expect(comment).not.toBe('');
    expect(stdout.trimEnd()).toBe(comment.replace(/^\/\/ ?/gm, '').trimEnd());
  });
});
