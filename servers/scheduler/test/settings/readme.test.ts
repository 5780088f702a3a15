import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settingsByPath } from '../../src/agent/settings/settings-table.js';

const document = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const [, section = ''] = /^# Configuration$(.*?)^## /ms.exec(document) ?? [];

/** The cells of each row of the section's table, by the first one. */
const rows = new Map(
  section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .map(([, first = '', ...cells]) => [first, cells.slice(0, -1)] as const),
);

it('the document of the configuration says what every setting is', () => {
  const expected = [...settingsByPath.values()].map(({ about, argument, flag, form, path, displayDefault: printed }) => {
    const written = form === 'switch' ? `--[no-]${flag}` : `--${flag} ${argument}`;
    return [`\`${path}\``, flag === null ? '' : `\`${written}\``, printed, about];
  });
  expect(expected.map(([path = '']) => [path, ...(rows.get(path) ?? [])])).toEqual(expected);
});
