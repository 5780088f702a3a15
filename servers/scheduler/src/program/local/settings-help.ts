import type { Setting } from '@tamis/config';
import { variableOf } from '../../agent/settings/variable.js';
import { flagOf } from '../../agent/settings/read-settings.js';
import { twoColumns } from '@tamis/scheduler-command/terminal/two-columns.js';
import { settingsByPath } from '../../agent/settings/settings-table.js';

/** Headings of groups of settings by path prefix. The first group has all settings without a block. */
const groups: readonly (readonly [prefix: string, title: string])[] = [
  ['', 'the agent'],
  ['ports.', 'ports'],
  ['storage.', 'storage'],
  ['server.', 'as a server'],
  ['client.', 'as a client'],
  ['plugin.', 'drivers'],
  ['acl.', 'access control'],
  ['tls.', 'TLS'],
  ['membership.', 'other agents'],
  ['limits.', 'limits'],
];

/** Returns help on the flags of all settings, in groups. */
export function flagsHelp(): string {
  return sections((setting) => {
    const { form, flag, argument, about, displayDefault } = setting;
    if (flag === null) return null;
    const repeat = form === 'list' || form === 'map' || form === 'lists' ? '; may be repeated' : '';
    const standard = displayDefault === '' ? '' : `; default ${displayDefault}`;
    const written = form === 'switch' ? `--[no-]${flag}` : `${flagOf(setting)} ${argument}`;
    return [written, `${about}${standard}${repeat}`];
  });
}

/** Returns help on the paths and variables of all settings, in groups. */
export function pathsHelp(): string {
  return sections(({ form, path }) => [path, form === null ? 'in files only' : variableOf(path)]);
}

type Describe = (setting: Setting<unknown>) => readonly [string, string] | null;

function sections(describe: Describe): string {
  return groups
    .map(([prefix, title]) => {
      const rows = [...settingsByPath.values()]
        .filter(({ path }) => (prefix === '' ? !path.includes('.') : path.startsWith(prefix)))
        .flatMap((setting) => {
          const row = describe(setting);
          return row === null ? [] : [row];
        });
      return rows.length === 0 ? '' : `${title}:\n${twoColumns(rows, 36)}\n`;
    })
    .join('');
}
