import { parseArgs, type ParseArgsConfig } from 'node:util';
import { suggestName } from '@tamis/config';
import { helpTopics } from './commands/help.js';
import type { Flags } from './settings/read-settings.js';
import { settingPaths, settings, type SettingPath } from './settings/settings-table.js';

// `parseArgs` of Node reads the flags. A framework such as commander would bring its own words for mistakes and its own help, and the
// flags come from the table of settings.

/** A command line, read. */
export type Command =
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

/** A command line that cannot be followed. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command that was meant; null where that is not clear. */
  readonly command: string | null;

  constructor(message: string, command: string | null = null) {
    super(message);
    this.command = command;
  }
}

type Options = NonNullable<ParseArgsConfig['options']>;

const commands: ReadonlyMap<string, (args: readonly string[]) => Command> = new Map([
  ['agent', parseAgent],
  ['check', parseCheck],
  ['import', parseImport],
  ['export', parseExport],
  ['operator', parseOperator],
  ['version', parseVersion],
  ['help', parseHelp],
]);

/**
 * Reads the command line, without the program's own name.
 *
 * @throws UsageError
 */
export function parseCommand(args: readonly string[]): Command {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h') return { kind: 'help', topic: null };
  if (name === '--version' || name === '-v') return { kind: 'version', json: false };
  const parse = commands.get(name);
  if (parse !== undefined) {
    if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', topic: name };
    try {
      return parse(rest);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(error.message, name) : error;
    }
  }
  const known = [...commands.keys()];
  const near = suggestName(name, known);
  throw new UsageError(
    name.startsWith('-')
      ? `A command comes first, one of ${known.join(', ')}: found "${name}"`
      : `There is no command "${name}": ${near === null ? `try one of ${known.join(', ')}` : `did you mean ${near}?`}`,
  );
}

const settingOptions: Options = Object.fromEntries(
  settingPaths.flatMap((path) => {
    const { flag, form } = settings[path];
    if (flag === null) return [];
    return [[flag, form === 'switch' ? { type: 'boolean' } : { type: 'string', multiple: true }] as const];
  }),
);

const pathOfFlag: ReadonlyMap<string, SettingPath> = new Map(
  settingPaths.flatMap((path) => {
    const { flag } = settings[path];
    return flag === null ? [] : [[flag, path] as const];
  }),
);

function parseAgent(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args, {
    ...settingOptions,
    config: { type: 'string', multiple: true },
    dev: { type: 'boolean' },
  });
  refuseMore('agent', positionals);
  const files = textsOf(values['config']);
  return { kind: 'agent', files, devMode: values['dev'] === true, flags: flagsOf(values) };
}

/** The flags of settings among those that were given. */
function flagsOf(values: Parsed['values']): Flags {
  const flags = new Map<SettingPath, readonly string[] | boolean>();
  for (const [flag, value] of Object.entries(values)) {
    const path = pathOfFlag.get(flag);
    if (path !== undefined && value !== undefined) flags.set(path, flagValue(value));
  }
  return flags;
}

function flagValue(value: FlagValue): readonly string[] | boolean {
  return typeof value === 'boolean' ? value : textsOf(value);
}

function parseCheck(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args, { json: { type: 'boolean' } });
  if (positionals.length === 0) throw new UsageError('check which file? scheduler check FILE...');
  return { kind: 'check', files: positionals, json: values['json'] === true };
}

function parseImport(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args, {
    'data-dir': { type: 'string' },
    json: { type: 'boolean' },
  });
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('import which file? scheduler import FILE --data-dir DIR');
  refuseMore(`import ${file}`, more);
  const [dataDir] = textsOf(values['data-dir']);
  if (dataDir === undefined)
    throw new UsageError('import into which store? scheduler import FILE --data-dir DIR');
  return { kind: 'import', file, dataDir, json: values['json'] === true };
}

function parseExport(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args, {
    'data-dir': { type: 'string' },
    address: { type: 'string' },
    output: { type: 'string', short: 'o' },
  });
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

/** The settings by which etcd is found. */
const etcdOptions: Options = Object.fromEntries(
  Object.entries(settingOptions).filter(([flag]) => flag === 'region' || flag.startsWith('etcd-')),
);

function parseOperator(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args, {
    ...etcdOptions,
    config: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  });
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

function parseVersion(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args, { json: { type: 'boolean' } });
  refuseMore('version', positionals);
  return { kind: 'version', json: values['json'] === true };
}

function parseHelp([topic, ...more]: readonly string[]): Command {
  refuseMore('help', more);
  if (topic === undefined) return { kind: 'help', topic: null };
  if (helpTopics.includes(topic)) return { kind: 'help', topic };
  throw new UsageError(`There is no help on "${topic}": try one of ${helpTopics.join(', ')}`);
}

type FlagValue = string | boolean | readonly (string | boolean)[];

interface Parsed {
  readonly values: Readonly<Record<string, FlagValue | undefined>>;
  readonly positionals: readonly string[];
}

function readOptions(args: readonly string[], options: Options): Parsed {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    // The first sentence says what is wrong; the others explain the parser.
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('. ', 1);
    const unknown = /^Unknown option '--?([^']+)'/.exec(problem)?.[1];
    const near = unknown === undefined ? null : suggestName(unknown, Object.keys(options));
    throw new UsageError(near === null ? problem : `${problem}: did you mean --${near}?`);
  }
}

function textsOf(value: FlagValue | undefined): readonly string[] {
  if (value === undefined || typeof value === 'boolean') return [];
  return (typeof value === 'string' ? [value] : value).map(String);
}

function refuseMore(command: string, [extra]: readonly string[]): void {
  if (extra !== undefined) throw new UsageError(`Unexpected "${extra}" behind ${command}`);
}
