import { exposureOf } from '@tamis/http';
import { ConfigError, type ConfigMistake, type Position } from '@tamis/config';
import { variableOf } from './variable.js';
import { settingsByPath } from './settings-table.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

/** Environment variables of an agent that contain a secret. */
export const secretVariables: readonly string[] = [...settingsByPath.values()]
  .filter(({ isSecret }) => isSecret)
  .map(({ path }) => variableOf(path));

/** Access to local files. */
export interface SecretFiles {
  readonly read: (path: string) => Promise<Buffer>;
  /** The mode as returned by `stat`. */
  readonly modeOf: (path: string) => Promise<number>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum length of a secret, in bytes. Prevents reading a device or a log as a secret. */
const maxSecretLength = 65_536;

/**
 * Returns the environment with secrets loaded from files: `NAME_FILE` names the file with the value of `NAME`. Only its owner can
 * read a file, but others may see the environment of this process.
 *
 * @throws ConfigError if a file cannot be read, others can read it, or a secret is given twice.
 */
export async function readSecretVariables(
  environment: Environment,
  names: readonly string[],
  files: SecretFiles,
): Promise<Environment> {
  const mistakes: ConfigMistake[] = [];
  const found = new Map(Object.entries(environment));
  for (const name of names) {
    const variable = `${name}_FILE`;
    const path = environment[variable];
    found.delete(variable);
    // An empty variable counts as missing, because many tools set it instead of omitting it.
    if (path === undefined || path === '') continue;
    const at: Position = { source: variable, line: 0, column: 0 };
    const given = environment[name] ?? '';
    const secret =
      given === '' ? await readSecret(path, files) : { problem: `${name} is set too: leave one of them out` };
    if ('problem' in secret) mistakes.push({ at, path: '', problem: secret.problem });
    else found.set(name, secret.text);
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.fromEntries(found);
}

type Secret = { readonly text: string } | { readonly problem: string };

async function readSecret(path: string, { modeOf, read }: SecretFiles): Promise<Secret> {
  try {
    const exposure = exposureOf(path, await modeOf(path));
    if (exposure !== null) return { problem: exposure };
    const bytes = await read(path);
    if (bytes.length > maxSecretLength) return { problem: `${path} is longer than ${maxSecretLength} bytes` };
    // Editors add a line break at the end, which is not part of the secret.
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    return text === '' ? { problem: `${path} is empty` } : { text };
  } catch (error) {
    return { problem: `${path} cannot be read: ${reasonOf(error)}` };
  }
}
