import {
  anything,
  block,
  bool,
  ConfigError,
  converted,
  decodeConfig,
  formatMistake,
  labelled,
  parseConfig,
  required,
  text,
  type Block,
  type ConfigObject,
  type Fields,
  type Labelled,
  type Reader,
} from '@tamis/config';
import { authMethods } from '../../server/auth-methods.js';
import type { AuthMethodType, AuthMount } from '../../auth/method-type.js';
import { foldName } from '../../base/fold.js';
import {
  defaultListener,
  defaultServerConfig,
  logLevels,
  type LogLevel,
  type ServerConfig,
} from '../../server/server-config.js';
import { storageDrivers } from '../../server/storage-drivers.js';
import type { StorageConfig, StorageDriver } from '../../storage/driver.js';
import { listenerSettings } from './listener-settings.js';
import { seconds } from '../../base/setting-readers.js';

/** Log levels by their names, in any case, including the names that Vault uses. */
const levels: ReadonlyMap<string, LogLevel> = new Map([
  ['trace', 'debug'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['notice', 'info'],
  ['warn', 'warn'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['err', 'error'],
]);

const logLevel: Reader<LogLevel> = converted(
  text(),
  (written, refuse) => levels.get(written.toLowerCase()) ?? refuse(`expected one of ${logLevels.join(', ')}`),
);

/** Returns the reader of `auth "name"` blocks: the method of that name reads its block. */
function authBlocks(methods: readonly AuthMethodType[]): Reader<readonly Labelled<AuthMount>[]> {
  return labelled(readerByName('auth', methods), { repeat: true });
}

/** Returns the reader of `storage "name"` blocks: the driver with that name or alias reads its block. */
function storageBlocks(drivers: readonly StorageDriver[]): Reader<readonly Labelled<StorageConfig>[]> {
  return labelled(readerByName('storage', drivers));
}

/** Returns a reader that selects the reader of a block by its label, in any case. */
function readerByName<T>(
  block: string,
  kinds: readonly {
    readonly name: string;
    readonly aliases?: readonly string[];
    readonly block: Reader<T>;
  }[],
): (label: string) => Reader<T> {
  const known = kinds.map(({ name }) => `${block} ${JSON.stringify(name)}`).join(' or ');
  const unknown: Reader<T> = converted(anything(), (_block, refuse) =>
    refuse(`there is no such kind: write ${known}`),
  );
  return (label) => {
    const name = label.toLowerCase();
    return kinds.find((kind) => kind.name === name || kind.aliases?.includes(name))?.block ?? unknown;
  };
}

/** Accepts any value and ignores it. */
const ignored: Reader<undefined> = { read: () => undefined };

const fields = {
  listener: labelled(listenerSettings, { repeat: true }),
  seal: block({ key_file: required(text()) }),
  audit: labelled(block({ path: required(text()) })),
  ui: bool(),
  default_lease_ttl: seconds,
  max_lease_ttl: seconds,
  log_level: logLevel,
  // Settings of configuration files for Vault: they have no effect and cause no warning.
  api_addr: anything(),
  cluster_addr: anything(),
  disable_mlock: anything(),
} satisfies Fields;

type Values = Block<typeof fields>;
type Blocks<T> = readonly Labelled<T>[];

/** The name and content of a configuration file. */
export interface ConfigFile {
  readonly name: string;
  readonly text: string;
}

export interface SettingsOptions {
  /** Whether the store is in memory, regardless of the files. */
  readonly dev: boolean;
  /** The methods that `auth` blocks may name. Default: those of this server. */
  readonly methods?: readonly AuthMethodType[];
  /** The drivers that a `storage` block may name. Default: those of this server. */
  readonly drivers?: readonly StorageDriver[];
  /** Called for unknown settings and ignored headers. */
  readonly onWarning: (warning: string) => void;
}

/**
 * Reads the settings of configuration files, which count as one file. A listener in any of them replaces the default one.
 *
 * @throws ConfigError with all mistakes and their positions
 */
export function readServerSettings(files: readonly ConfigFile[], options: SettingsOptions): ServerConfig {
  const roots = files.map(({ name, text: content }) => parseConfig(content, { name }));
  const [first] = roots;
  if (first === undefined) return defaultServerConfig;
  const root = { ...first, entries: roots.flatMap(({ entries }) => entries) };
  const all = {
    ...fields,
    auth: authBlocks(options.methods ?? authMethods),
    storage: options.dev ? ignored : storageBlocks(options.drivers ?? storageDrivers),
  };
  const {
    auth = [],
    storage,
    ...values
  } = decodeConfig(root, all, {
    unknown: 'warning',
    onWarning: (warning) => options.onWarning(formatMistake(warning)),
  });
  const mistakes = [
    ...checkLabels(values),
    ...checkMounts(auth),
    ...checkLease(values, placeOf(root, 'default_lease_ttl')),
    ...(options.dev ? [] : checkStorage(storage ?? [])),
  ];
  if (mistakes.length > 0) {
    throw new ConfigError(mistakes.map(({ at = first.at, path, problem }) => ({ at, path, problem })));
  }
  const defaults = defaultServerConfig;
  return {
    listeners: values.listener?.map(({ value }) => value) ?? [defaultListener],
    storage: storage?.[0]?.value ?? defaults.storage,
    unsealKeyFile: options.dev ? null : (values.seal?.key_file ?? null),
    auditFile: values.audit?.[0]?.value.path ?? null,
    auth: auth.length === 0 ? defaults.auth : auth.map(({ value }) => value),
    ui: values.ui ?? defaults.ui,
    lease: {
      defaultTtl:
        values.default_lease_ttl ?? Math.min(defaults.lease.defaultTtl, values.max_lease_ttl ?? Infinity),
      maxTtl: values.max_lease_ttl ?? defaults.lease.maxTtl,
    },
    logLevel: values.log_level ?? defaults.logLevel,
  };
}

interface Mistake {
  readonly at?: Labelled<unknown>['at'] | undefined;
  readonly path: string;
  readonly problem: string;
}

/** Checks the labels of `listener` and `audit` blocks. */
function checkLabels({ listener = [], audit = [] }: Values): Mistake[] {
  const check = (name: string, blocks: Blocks<unknown>, only: string): Mistake[] =>
    blocks
      .filter(({ label }) => label.toLowerCase() !== only)
      .map(({ label, at }) => ({
        at,
        path: `${name} ${JSON.stringify(label)}`,
        problem: `there is no such kind: write ${name} "${only}"`,
      }));
  return [...check('listener', listener, 'tcp'), ...check('audit', audit, 'file')];
}

/** Checks the paths of mounts. They ignore case, as policies do, and none may be below another. */
function checkMounts(blocks: Blocks<AuthMount>): Mistake[] {
  const pathOf = ({ value }: Labelled<AuthMount>): string => `${foldName(value.path)}/`;
  return blocks.flatMap((block, at) => {
    const [mine, others] = [pathOf(block), blocks.slice(0, at)];
    const other = others.find((each) => mine.startsWith(pathOf(each)) || pathOf(each).startsWith(mine));
    if (other === undefined) return [];
    const problem =
      pathOf(other) === mine
        ? `auth/${other.value.path} is mounted already: give each block a path of its own`
        : `auth/${block.value.path} and auth/${other.value.path} lie in each other: give each block a path of its own`;
    return [{ at: block.at, path: `auth ${JSON.stringify(block.label)}.path`, problem }];
  });
}

/** Returns the position of the last occurrence of a setting. */
function placeOf({ entries }: ConfigObject, name: string): Mistake['at'] {
  return entries.findLast(({ key }) => key === name)?.value.at;
}

function checkLease(
  { default_lease_ttl: defaultTtl = 0, max_lease_ttl: maxTtl }: Values,
  at: Mistake['at'],
): Mistake[] {
  const bound = maxTtl ?? defaultServerConfig.lease.maxTtl;
  if (defaultTtl <= bound) return [];
  return [{ at, path: 'default_lease_ttl', problem: `is longer than max_lease_ttl, which is ${bound}s` }];
}

function checkStorage([only, ...others]: Blocks<StorageConfig>): Mistake[] {
  if (only === undefined) {
    return [{ path: 'storage', problem: 'is missing: write storage "lmdb" { path = "/var/lib/secrets" }' }];
  }
  return others.map(({ at }) => ({ at, path: 'storage', problem: 'is already there: one is enough' }));
}
