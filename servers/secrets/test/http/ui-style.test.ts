import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { colours } from '../../src/http/ui-style.js';

it('the page has the colours of all pages', () => {
  const look = readFileSync(new URL('../../../../ui/src/look.css', import.meta.url), 'utf8');
  expect(colours).toContain('prefers-color-scheme: dark');
  expect(look).toContain(colours);
});
