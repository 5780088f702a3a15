import { ConfigError, decodeConfig, formatMistake, parseConfig, text } from '@tamis/config';
import type { ApiOptions } from '@tamis/scheduler-command/api/api-client.js';
import { readSecretVariables, type SecretFiles } from '../../agent/settings/secret-variables.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import type { Given } from '@tamis/scheduler-command/given.js';
import { UsageError } from '@tamis/scheduler-command/usage-error.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The agent that a command calls, with credentials. */
export interface ClientSettings extends Pick<ApiOptions, 'address' | 'token' | 'region'> {
  readonly namespace: string | null;
}

const defaultAddress = 'http://127.0.0.1:4646';

/**
 * Reads each setting from its flag, otherwise its variable, otherwise the user's file.
 *
 * @throws UsageError, CommandError, ConfigError for a file of secrets that others can read
 */
export async function readClientSettings(
  given: Given,
  environment: Environment,
  files: SecretFiles,
): Promise<ClientSettings> {
  const variables = await readSecretVariables(environment, ['SCHEDULER_TOKEN'], files);
  const file = await readUserFile(environment, files);
  const pick = (flag: keyof ClientSettings, variable: string): string | null =>
    given.text(flag) || variables[variable] || file[flag] || null;
  return {
    address: checkAddress(pick('address', 'SCHEDULER_ADDR') ?? defaultAddress),
    token: checkToken(pick('token', 'SCHEDULER_TOKEN')),
    region: pick('region', 'SCHEDULER_REGION'),
    namespace: pick('namespace', 'SCHEDULER_NAMESPACE'),
  };
}

function checkAddress(address: string): string {
  // The part before the @ may be a password, which must not appear in messages.
  if (address.includes('@'))
    throw new UsageError(
      `an address is a URL such as ${defaultAddress}, without a user or a password: the agent takes tokens`,
    );
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new UsageError(`an address is a URL such as ${defaultAddress}, not ${JSON.stringify(address)}`);
  return address;
}

/** Node.js would reject it as a header too, and print it. */
function checkToken(token: string | null): string | null {
  if (token === null || /^[!-~]+$/.test(token)) return token;
  throw new UsageError(
    'the token has a blank, a line break or another character that no secret has: take it as acl token create has printed it',
  );
}

/** The file with the user's default options; SCHEDULER_COMMAND_FILE sets a different path. */
function userFilePath({ SCHEDULER_COMMAND_FILE, XDG_CONFIG_HOME, HOME }: Environment): string | null {
  if ((SCHEDULER_COMMAND_FILE ?? '') !== '') return SCHEDULER_COMMAND_FILE ?? null;
  const folder = XDG_CONFIG_HOME || ((HOME ?? '') === '' ? '' : `${HOME}/.config`);
  return folder === '' ? null : `${folder}/scheduler/command.hcl`;
}

type UserFile = { readonly [Name in keyof ClientSettings]?: string | undefined };

async function readUserFile(environment: Environment, { modeOf, read }: SecretFiles): Promise<UserFile> {
  const path = userFilePath(environment);
  if (path === null) return {};
  let mode: number;
  try {
    mode = await modeOf(path);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isMissing && (environment['SCHEDULER_COMMAND_FILE'] ?? '') === '') return {};
    throw new CommandError(`${path} cannot be read: ${reasonOf(error)}`);
  }
  // The file belongs to one user, so no group needs access.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const written = (mode & 0o777).toString(8).padStart(4, '0');
    throw new CommandError(`${path} may hold a token and has the mode ${written}. Run chmod 600 on it`);
  }
  return decodeUserFile((await read(path)).toString('utf8'), path);
}

function decodeUserFile(source: string, name: string): UserFile {
  try {
    const fields = { address: text(), token: text(), region: text(), namespace: text() };
    return decodeConfig(parseConfig(source, { name }), fields);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandError(error.mistakes.map(formatMistake).join('\n'));
  }
}
