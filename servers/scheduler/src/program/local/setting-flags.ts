import type { Flags } from '../../agent/settings/read-settings.js';
import { settingsByPath } from '../../agent/settings/settings-table.js';
import type { FlagTable } from '@tamis/scheduler-command/command.js';
import type { Given } from '@tamis/scheduler-command/given.js';

const settings = [...settingsByPath.values()].flatMap(({ flag, ...rest }) =>
  flag === null ? [] : [{ flag, ...rest }],
);

/** The settings of the agent as flags. */
export const settingFlags: FlagTable = Object.fromEntries(
  settings.map(({ about, argument, flag, form }) => [
    flag,
    {
      help: about,
      ...(form === 'switch' ? {} : { value: argument }),
      ...(form === 'text' ? {} : { repeats: true }),
    },
  ]),
);

/** Flags that locate the etcd of a region. */
export const etcdFlags: FlagTable = Object.fromEntries(
  Object.entries(settingFlags).filter(([flag]) => flag === 'region' || flag.startsWith('etcd-')),
);

/** Returns the settings among the flags of a command line. */
export function givenSettings(given: Given): Flags {
  const flags = settings.flatMap(({ flag, path }) => {
    const value = given.switched(flag) ?? given.texts(flag);
    return typeof value === 'boolean' || value.length > 0 ? [[path, value] as const] : [];
  });
  return new Map(flags);
}
