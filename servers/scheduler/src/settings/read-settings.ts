import {
  block,
  ConfigError,
  decodeConfig,
  located,
  parseConfig,
  suggestName,
  type ConfigMistake,
  type Fields,
  type Located,
  type Position,
  type Reader,
  type Report,
  valueOfTexts,
  valueOfVariable,
} from '@tamis/config';
import { variableOf, variablePrefix, type Setting } from './setting.js';
import { settingPaths, settings, type SettingPath, type SettingValues } from './settings-table.js';

/** Settings that have been given, each with its place. */
export type GivenSettings = { readonly [P in SettingPath]?: Located<SettingValues[P]> | undefined };

/** A configuration file that has been read from the disk. */
export interface SettingsFile {
  readonly name: string;
  readonly text: string;
}

/** Flags that have been given: the texts of each, or whether a switch is on. */
export type Flags = ReadonlyMap<SettingPath, readonly string[] | boolean>;

/** Where settings come from. Later files count more than earlier ones, the environment more, and flags most. */
export interface SettingsSources {
  readonly files: readonly SettingsFile[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: Flags;
}

/** Settings that can be used, and what is odd about them. */
export interface ReadSettings {
  readonly given: GivenSettings;
  readonly warnings: readonly ConfigMistake[];
}

/**
 * Reads all sources. A setting counts as a whole: a map of a later source replaces that of an earlier one.
 *
 * @throws ConfigError with the mistakes of all sources.
 */
export function readSettings({ files, environment, flags }: SettingsSources): ReadSettings {
  const mistakes: ConfigMistake[] = [];
  const given = new Map<SettingPath, Located<unknown>>();
  for (const file of files) readFile(file, given, mistakes);
  for (const path of settingPaths) readVariable(path, environment, given, mistakes);
  for (const [path, texts] of flags) readFlag(path, texts, given, mistakes);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  // Every value was made by the reader of its setting.
  return { given: Object.fromEntries(given) as GivenSettings, warnings: unknownVariables(environment) };
}

/** A flag as it is written. */
export function flagOf(path: SettingPath): string {
  return `--${settings[path].flag ?? path}`;
}

type Given = Map<SettingPath, Located<unknown>>;

function readFile({ name, text }: SettingsFile, given: Given, mistakes: ConfigMistake[]): void {
  try {
    const values = decodeConfig(parseConfig(text, { name }), fileFields);
    for (const path of settingPaths) {
      const value = valueAt(values, path.split('.'));
      if (value !== undefined) given.set(path, value);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    mistakes.push(...error.mistakes);
  }
}

function readVariable(
  path: SettingPath,
  environment: SettingsSources['environment'],
  given: Given,
  mistakes: ConfigMistake[],
): void {
  const { form }: Setting<unknown> = settings[path];
  const variable = variableOf(path);
  const text = environment[variable];
  // An empty variable is how many a tool leaves one out.
  if (text === undefined || text === '' || form === null) return;
  const at = placeOf(variable);
  try {
    readOne(path, valueOfVariable(form, text, at), given, mistakes);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    mistakes.push(...error.mistakes);
  }
}

function readFlag(
  path: SettingPath,
  texts: readonly string[] | boolean,
  given: Given,
  mistakes: ConfigMistake[],
): void {
  const at = placeOf(flagOf(path));
  const { form }: Setting<unknown> = settings[path];
  if (typeof texts === 'boolean') readOne(path, { kind: 'bool', value: texts, at }, given, mistakes);
  else readOne(path, valueOfTexts(form ?? 'text', texts, at), given, mistakes);
}

function readOne(
  path: SettingPath,
  value: Parameters<Reader<unknown>['read']>[0]['occurrences'][0]['value'],
  given: Given,
  mistakes: ConfigMistake[],
): void {
  const report: Report = {
    mistake: (at, where, problem) => void mistakes.push({ at: placeOf(at.source), path: where, problem }),
    unknown: (at, where, problem) =>
      report.mistake(at, where, typeof problem === 'string' ? problem : problem()),
  };
  const reader: Reader<unknown> = settings[path].reader;
  const read = reader.read({ path, occurrences: [{ at: value.at, value }] }, report);
  if (read !== undefined) given.set(path, { value: read, at: placeOf(value.at.source) });
}

function placeOf(source: string): Position {
  return { source, line: 0, column: 0 };
}

/** Fields for files: each part of a path is a block around the next one. */
function fieldsUnder(parts: readonly string[]): Fields {
  const prefix = parts.map((part) => `${part}.`).join('');
  const fields = new Map<string, Reader<unknown>>();
  for (const path of settingPaths) {
    if (!path.startsWith(prefix)) continue;
    const [key = '', ...more] = path.slice(prefix.length).split('.');
    const { reader }: Setting<unknown> = settings[path];
    if (more.length === 0) fields.set(key, located(reader));
    else if (!fields.has(key)) fields.set(key, block(fieldsUnder([...parts, key])));
  }
  return Object.fromEntries(fields);
}

const fileFields = fieldsUnder([]);

function valueAt(values: unknown, [part, ...more]: readonly string[]): Located<unknown> | undefined {
  // The fields have the shape of the paths: what lies behind the last part is a located value.
  if (part === undefined) return values as Located<unknown>;
  const value = (values as Readonly<Record<string, unknown>>)[part];
  return value === undefined ? undefined : valueAt(value, more);
}

/** Variables that look like a setting and are none. Others with the prefix belong to somebody else, such as a cluster. */
function unknownVariables(environment: SettingsSources['environment']): readonly ConfigMistake[] {
  const known = settingPaths.filter((path) => settings[path].form !== null).map(variableOf);
  const names = known.map((variable) => variable.slice(variablePrefix.length));
  return Object.keys(environment).flatMap((variable) => {
    if (!variable.startsWith(variablePrefix) || known.includes(variable)) return [];
    const near = suggestName(variable.slice(variablePrefix.length), names);
    if (near === null) return [];
    const problem = `is no setting: did you mean ${variablePrefix}${near}?`;
    return [{ at: placeOf(variable), path: '', problem }];
  });
}
