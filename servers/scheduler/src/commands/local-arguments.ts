import type { Flags } from '../settings/read-settings.js';
import { settingsByPath } from '../settings/settings-table.js';
import type { FlagTable } from './command.js';
import { shells, type Shell } from './completion-scripts.js';
import type { FlagValue } from './given.js';
import { helpTopics } from './help.js';
import { readFlags, refuseMore, type FlagOptions, type ReadFlags } from './read-flags.js';
import { UsageError } from './usage-error.js';

/** A command about this machine, read. */
export type LocalArguments =
  | {
      readonly kind: 'agent';
      readonly files: readonly string[];
      readonly devMode: boolean;
      readonly flags: Flags;
    }
  | { readonly kind: 'check'; readonly files: readonly string[]; readonly json: boolean }
  | { readonly kind: 'import'; readonly file: string; readonly dataDir: string; readonly json: boolean }
  | { readonly kind: 'export'; readonly from: ExportSource; readonly output: string | null }
  | OperatorCommand
  | { readonly kind: 'help'; readonly topic: string | null }
  | { readonly kind: 'completion'; readonly shell: Shell }
  | { readonly kind: 'version'; readonly json: boolean };

/** A command about the servers of a region and the etcd that they share. */
export interface OperatorCommand {
  readonly kind: 'operator';
  readonly action:
    | { readonly kind: 'servers'; readonly json: boolean }
    | { readonly kind: 'save'; readonly file: string }
    | { readonly kind: 'restore'; readonly file: string };
  readonly files: readonly string[];
  readonly flags: Flags;
}

/** The source of an export. */
export type ExportSource =
  { readonly kind: 'store'; readonly dataDir: string } | { readonly kind: 'agent'; readonly address: string };

const readers: ReadonlyMap<string, (args: readonly string[]) => LocalArguments> = new Map([
  ['agent', parseAgent],
  ['check', parseCheck],
  ['import', parseImport],
  ['export', parseExport],
  ['operator', parseOperator],
  ['completion', parseCompletion],
  ['version', parseVersion],
  ['help', parseHelp],
]);

/**
 * Reads the arguments of a command about this machine.
 *
 * @throws UsageError
 */
export function readLocalArguments(name: string, args: readonly string[]): LocalArguments {
  const read = readers.get(name);
  if (read === undefined) throw new TypeError(`${name} is no command about this machine`);
  try {
    return read(args);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, name) : error;
  }
}

/** The flags of such a command, for completion. */
export function localFlags(name: string): FlagTable {
  const options = optionsOf.get(name) ?? {};
  return Object.fromEntries(
    Object.entries(options).map(([flag, { type, short }]) => {
      const { about = '', argument = 'VALUE' } = settingOfFlag.get(flag) ?? {};
      const value = type === 'string' ? { value: argument } : {};
      return [flag, { help: about, ...value, ...(short === undefined ? {} : { short }) }] as const;
    }),
  );
}

const settingOptions: FlagOptions = Object.fromEntries(
  [...settingsByPath.values()].flatMap(({ flag, form }) => {
    if (flag === null) return [];
    return [[flag, form === 'switch' ? { type: 'boolean' } : { type: 'string', multiple: true }] as const];
  }),
);

const settingOfFlag = new Map(
  [...settingsByPath.values()].flatMap((each) => (each.flag === null ? [] : [[each.flag, each] as const])),
);

/** The settings by which etcd is found. */
const etcdOptions: FlagOptions = Object.fromEntries(
  Object.entries(settingOptions).filter(([flag]) => flag === 'region' || flag.startsWith('etcd-')),
);

const json: FlagOptions = { json: { type: 'boolean' } };
const dataDir: FlagOptions = { 'data-dir': { type: 'string' } };
const files: FlagOptions = { config: { type: 'string', multiple: true } };

/** The flags of each command. */
const localOptions = {
  agent: { ...settingOptions, ...files, dev: { type: 'boolean' } },
  check: json,
  import: { ...dataDir, ...json },
  export: { ...dataDir, address: { type: 'string' }, output: { type: 'string', short: 'o' } },
  operator: { ...etcdOptions, ...files, ...json },
  version: json,
} as const satisfies Readonly<Record<string, FlagOptions>>;

const optionsOf: ReadonlyMap<string, FlagOptions> = new Map(Object.entries(localOptions));

function parseAgent(args: readonly string[]): LocalArguments {
  const { values, positionals } = readFlags(args, localOptions.agent);
  refuseMore('agent', positionals);
  const files = textsOf(values['config']);
  return { kind: 'agent', files, devMode: values['dev'] === true, flags: flagsOf(values) };
}

/** The flags of settings among those that were given. */
function flagsOf(values: ReadFlags['values']): Flags {
  const flags = new Map<string, readonly string[] | boolean>();
  for (const [flag, value] of Object.entries(values)) {
    const path = settingOfFlag.get(flag)?.path;
    if (path !== undefined && value !== undefined) flags.set(path, flagValue(value));
  }
  return flags;
}

function flagValue(value: FlagValue): readonly string[] | boolean {
  return typeof value === 'boolean' ? value : textsOf(value);
}

function parseCheck(args: readonly string[]): LocalArguments {
  const { values, positionals } = readFlags(args, localOptions.check);
  if (positionals.length === 0) throw new UsageError('check which file? scheduler check FILE...');
  return { kind: 'check', files: positionals, json: values['json'] === true };
}

function parseImport(args: readonly string[]): LocalArguments {
  const { values, positionals } = readFlags(args, localOptions.import);
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('import which file? scheduler import FILE --data-dir DIR');
  refuseMore(`import ${file}`, more);
  const [dataDir] = textsOf(values['data-dir']);
  if (dataDir === undefined)
    throw new UsageError('import into which store? scheduler import FILE --data-dir DIR');
  return { kind: 'import', file, dataDir, json: values['json'] === true };
}

function parseExport(args: readonly string[]): LocalArguments {
  const { values, positionals } = readFlags(args, localOptions.export);
  refuseMore('export', positionals);
  const [dataDir] = textsOf(values['data-dir']);
  const [address] = textsOf(values['address']);
  const output = textsOf(values['output'])[0] ?? null;
  if (dataDir !== undefined && address === undefined) {
    return { kind: 'export', from: { kind: 'store', dataDir }, output };
  }
  if (dataDir !== undefined || address === undefined) {
    throw new UsageError('export from where? Give one of --data-dir DIR and --address URL');
  }
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new UsageError(`--address is a URL such as http://127.0.0.1:4646, not "${address}"`);
  }
  return { kind: 'export', from: { kind: 'agent', address }, output };
}

function parseOperator(args: readonly string[]): LocalArguments {
  const { values, positionals } = readFlags(args, localOptions.operator);
  const action = operatorAction(positionals, values['json'] === true);
  return { kind: 'operator', action, files: textsOf(values['config']), flags: flagsOf(values) };
}

function operatorAction(
  [first, second, file, ...more]: readonly string[],
  json: boolean,
): OperatorCommand['action'] {
  if (first === 'servers') {
    refuseMore(
      'operator servers',
      [second].filter((extra) => extra !== undefined),
    );
    return { kind: 'servers', json };
  }
  if (first !== 'snapshot' || (second !== 'save' && second !== 'restore'))
    throw new UsageError('operator what? One of servers, snapshot save FILE and snapshot restore FILE');
  if (json) throw new UsageError(`--json is for operator servers, not for operator snapshot ${second}`);
  if (file === undefined) throw new UsageError(`which file? scheduler operator snapshot ${second} FILE`);
  refuseMore(`operator snapshot ${second} ${file}`, more);
  return { kind: second, file };
}

function parseCompletion(args: readonly string[]): LocalArguments {
  const { positionals } = readFlags(args, {});
  const [name, ...more] = positionals;
  const shell = shells.find((one) => one === name);
  if (shell === undefined) throw new UsageError(`completion for which shell? One of ${shells.join(', ')}`);
  refuseMore(`completion ${shell}`, more);
  return { kind: 'completion', shell };
}

function parseVersion(args: readonly string[]): LocalArguments {
  const { values, positionals } = readFlags(args, localOptions.version);
  refuseMore('version', positionals);
  return { kind: 'version', json: values['json'] === true };
}

function parseHelp([topic, ...more]: readonly string[]): LocalArguments {
  refuseMore('help', more);
  if (topic === undefined) return { kind: 'help', topic: null };
  if (helpTopics.includes(topic)) return { kind: 'help', topic };
  throw new UsageError(`There is no help on "${topic}": try one of ${helpTopics.join(', ')}`);
}

function textsOf(value: FlagValue | undefined): readonly string[] {
  if (value === undefined || typeof value === 'boolean') return [];
  return (typeof value === 'string' ? [value] : value).map(String);
}
