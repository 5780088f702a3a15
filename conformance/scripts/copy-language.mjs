// Puts the page of the language and its grammar into this folder, for the tarball: run by npm before it packs.
import { cpSync } from 'node:fs';

for (const file of ['docs/language.md', 'grammar/filter.ebnf'])
  cpSync(new URL(`../../${file}`, import.meta.url), new URL(`../${file}`, import.meta.url));
