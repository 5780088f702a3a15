import { expect, it } from 'vitest';
import { suggestName } from '../src/index.js';

it.each<[written: string, known: readonly string[], name: string | null]>([
  ['regoin', ['name', 'region'], 'region'],
  ['prot', ['import', 'port'], 'port'],
  ['port', ['import'], null],
  ['datadir', ['data_dir'], 'data_dir'],
  ['Bind-Addr', ['bind_addr'], 'bind_addr'],
  ['boostrap_expct', ['bootstrap_expect'], 'bootstrap_expect'],
  ['enabled', ['enable'], 'enable'],
  ['x', ['y', 'region'], 'y'],
  ['abc', ['xyz'], null],
  ['', ['region'], null],
  ['a'.repeat(65), ['a'.repeat(64)], null],
  ['http', [], null],
])('%s among %j is %s', (written, known, name) => expect(suggestName(written, known)).toBe(name));
