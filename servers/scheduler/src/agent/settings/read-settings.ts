import {
  block,
  ConfigError,
  decodeConfig,
  located,
  parseConfig,
  suggestName,
  type ConfigMistake,
  type Fields,
  type GivenSettings,
  type Located,
  type Position,
  type Reader,
  type Report,
  type Setting,
  valueOfTexts,
  valueOfVariable,
} from '@tamis/config';
import { variableOf, variablePrefix } from './variable.js';
import { settingsByPath } from './settings-table.js';

/** A configuration file with its content. */
export interface SettingsFile {
  readonly name: string;
  readonly text: string;
}

/** The given flags by setting path: the strings of each, or whether a switch is on. */
export type Flags = ReadonlyMap<string, readonly string[] | boolean>;

/** The sources of settings. Later files override earlier ones, the environment overrides files, flags override everything. */
export interface SettingsSources {
  readonly files: readonly SettingsFile[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: Flags;
}

/** Valid settings with warnings. */
export interface ReadSettings {
  readonly given: GivenSettings;
  readonly warnings: readonly ConfigMistake[];
}

/**
 * Reads all sources. Settings are replaced as a whole: a map of a later source replaces that of an earlier one.
 *
 * @throws ConfigError with the mistakes of all sources.
 */
export function readSettings({ files, environment, flags }: SettingsSources): ReadSettings {
  const mistakes: ConfigMistake[] = [];
  const given = new Map<string, Located<unknown>>();
  for (const file of files) readFile(file, given, mistakes);
  for (const setting of settingsByPath.values()) readVariable(setting, environment, given, mistakes);
  for (const [path, texts] of flags) readFlag(settingAt(path), texts, given, mistakes);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { given: Object.fromEntries(given), warnings: unknownVariables(environment) };
}

/** Returns a flag as written on the command line. */
export function flagOf({ flag, path }: Setting<unknown>): string {
  return `--${flag ?? path}`;
}

function settingAt(path: string): Setting<unknown> {
  const setting = settingsByPath.get(path);
  if (setting === undefined) throw new TypeError(`${path} is no setting`);
  return setting;
}

type Given = Map<string, Located<unknown>>;

function readFile({ name, text }: SettingsFile, given: Given, mistakes: ConfigMistake[]): void {
  try {
    const values = decodeConfig(parseConfig(text, { name }), fileFields);
    for (const path of settingsByPath.keys()) {
      const value = valueAt(values, path.split('.'));
      if (value !== undefined) given.set(path, value);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    mistakes.push(...error.mistakes);
  }
}

function readVariable(
  setting: Setting<unknown>,
  environment: SettingsSources['environment'],
  given: Given,
  mistakes: ConfigMistake[],
): void {
  const { form, path } = setting;
  const variable = variableOf(path);
  const text = environment[variable];
  // An empty variable counts as missing, because many tools set it instead of omitting it.
  if (text === undefined || text === '' || form === null) return;
  const at = placeOf(variable);
  try {
    readOne(setting, valueOfVariable(form, text, at), given, mistakes);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    mistakes.push(...error.mistakes);
  }
}

function readFlag(
  setting: Setting<unknown>,
  texts: readonly string[] | boolean,
  given: Given,
  mistakes: ConfigMistake[],
): void {
  const at = placeOf(flagOf(setting));
  if (typeof texts === 'boolean') readOne(setting, { kind: 'bool', value: texts, at }, given, mistakes);
  else readOne(setting, valueOfTexts(setting.form ?? 'text', texts, at), given, mistakes);
}

function readOne(
  { path, reader }: Setting<unknown>,
  value: Parameters<Reader<unknown>['read']>[0]['occurrences'][0]['value'],
  given: Given,
  mistakes: ConfigMistake[],
): void {
  const report: Report = {
    mistake: (at, where, problem) => void mistakes.push({ at: placeOf(at.source), path: where, problem }),
    unknown: (at, where, problem) =>
      report.mistake(at, where, typeof problem === 'string' ? problem : problem()),
  };
  const read = reader.read({ path, occurrences: [{ at: value.at, value }] }, report);
  if (read !== undefined) given.set(path, { value: read, at: placeOf(value.at.source) });
}

function placeOf(source: string): Position {
  return { source, line: 0, column: 0 };
}

/** Returns fields for files: each part of a path is a block around the next one. */
function fieldsUnder(parts: readonly string[]): Fields {
  const prefix = parts.map((part) => `${part}.`).join('');
  const fields = new Map<string, Reader<unknown>>();
  for (const { path, reader } of settingsByPath.values()) {
    if (!path.startsWith(prefix)) continue;
    const [key = '', ...more] = path.slice(prefix.length).split('.');
    if (more.length === 0) fields.set(key, located(reader));
    else if (!fields.has(key)) fields.set(key, block(fieldsUnder([...parts, key]), { repeat: true }));
  }
  return Object.fromEntries(fields);
}

const fileFields = fieldsUnder([]);

function valueAt(values: unknown, [part, ...more]: readonly string[]): Located<unknown> | undefined {
  // The fields mirror the paths: the last part leads to a located value.
  if (part === undefined) return values as Located<unknown>;
  const value = (values as Readonly<Record<string, unknown>>)[part];
  return value === undefined ? undefined : valueAt(value, more);
}

/**
 * Returns unknown variables that resemble a setting. Others with the prefix belong to other programs, such as a cluster manager.
 */
function unknownVariables(environment: SettingsSources['environment']): readonly ConfigMistake[] {
  const known = [...settingsByPath.values()].flatMap(({ form, path }) =>
    form === null ? [] : [variableOf(path)],
  );
  const names = known.map((variable) => variable.slice(variablePrefix.length));
  return Object.keys(environment).flatMap((variable) => {
    if (!variable.startsWith(variablePrefix) || known.includes(variable)) return [];
    const near = suggestName(variable.slice(variablePrefix.length), names);
    if (near === null) return [];
    const problem = `is no setting: did you mean ${variablePrefix}${near}?`;
    return [{ at: placeOf(variable), path: '', problem }];
  });
}
