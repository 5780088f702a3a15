import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settingsByPath } from '../../src/settings/settings-table.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Configuration$(.*?)^##/ms.exec(readme) ?? [];

/** The cells of each row of the section's table, by the first one. */
const rows = new Map(
  section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .map(([, first = '', ...cells]) => [first, cells.slice(0, -1)] as const),
);

it('the README says what every setting is', () => {
  const expected = [...settingsByPath.values()].map(({ about, argument, flag, form, path, shown }) => {
    const written = form === 'switch' ? `--[no-]${flag}` : `--${flag} ${argument}`;
    return [`\`${path}\``, flag === null ? '' : `\`${written}\``, shown, about];
  });
  expect(expected.map(([path = '']) => [path, ...(rows.get(path) ?? [])])).toEqual(expected);
});
