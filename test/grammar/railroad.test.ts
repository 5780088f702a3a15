import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { grammars } from '../support/filter-grammar.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(new URL('../../grammar/railroad.html', import.meta.url), 'utf8');

describe('grammar/railroad.html', () => {
  it('is what scripts/generate-railroad.mjs writes', () => {
    const script = ['--import', 'tsx', 'scripts/generate-railroad.mjs', '--check'];
    expect(() => execFileSync(process.execPath, script, { cwd: root, stdio: 'pipe' })).not.toThrow();
  });

  it('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|https?:|\son\w+=/i);
  });

  it('pictures every production but the alphabets', () => {
    const alphabets = ['letter', 'digit', 'nonzero', 'octal', 'hex', 'blank', 'blanks', 'gap', 'seam'];
    const names = new Set([...grammars.standard.keys(), ...grammars['go-bexpr'].keys()]);
    const pictured = [
      ...page.matchAll(/<section id="[^"]+">\n<h2>([^<]+)<\/h2>\n(?:<p class="dialect">[^<]+<\/p>\n)?<svg /g),
    ];
    expect(pictured.map((match) => match[1])).toEqual([...names].filter((name) => !alphabets.includes(name)));
  });

  it('has no link that leads nowhere, and closes what it opens', () => {
    const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !targets.has(link))).toEqual([]);
    const open: (string | undefined)[] = [];
    for (const [, slash, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (name === 'meta') continue;
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});
