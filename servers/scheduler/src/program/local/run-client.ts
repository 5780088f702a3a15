import { createApiClient } from '@tamis/scheduler-command/api/api-client.js';
import { ApiError } from '@tamis/scheduler-command/api/api-error.js';
import type { SecretFiles } from '../../agent/settings/secret-variables.js';
import { sanitizeLines } from '@tamis/scheduler-command/terminal/escape-terminal.js';
import { createPalette, usesColour } from '@tamis/scheduler-command/terminal/palette.js';
import { readClientSettings } from './client-settings.js';
import type { ClientCommand } from '@tamis/scheduler-command/command.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { exitCodes } from '@tamis/scheduler-command/exit-codes.js';
import type { Given } from '@tamis/scheduler-command/given.js';
import { readGiven } from '@tamis/scheduler-command/find-command.js';
import type { Session } from '@tamis/scheduler-command/session.js';
import { UsageError } from '@tamis/scheduler-command/usage-error.js';

/** The environment of a command, provided by the process or a test. */
export interface Surroundings extends Pick<Session, 'out' | 'err' | 'now' | 'readFile'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  readonly secretFiles: SecretFiles;
}

/** Runs a command that calls an agent, and prints its errors. @returns the exit code */
export async function runClient(
  command: ClientCommand,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { err, interrupted } = surroundings;
  try {
    const given = await readGiven(command, args);
    const session = await openSession(given, surroundings);
    if (given.text('token') !== null)
      await err.write('Everybody on this machine can read --token: use SCHEDULER_TOKEN_FILE.\n');
    const run = await command.load();
    return (await run(session, given)) || 0;
  } catch (error) {
    if (interrupted.aborted) return exitCodes.interrupted;
    const message = messageOf(error, command);
    if (message === null) throw error;
    const palette = createPalette(usesColour(err.isTerminal, surroundings.env));
    await err.write(`${palette.bad('error:')} ${sanitizeLines(message)}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

async function openSession(
  given: Given,
  { env, err, fetch, interrupted, now, out, readFile, secretFiles }: Surroundings,
): Promise<Session> {
  const settings = await readClientSettings(given, env, secretFiles);
  const palette = createPalette(usesColour(out.isTerminal, env));
  return {
    api: createApiClient({ ...settings, fetch, signal: interrupted }),
    namespace: settings.namespace,
    layout: {
      // Read for each table, because the window may be resized.
      get width() {
        return out.isTerminal ? out.columns : null;
      },
      palette,
    },
    palette,
    isJson: given.has('json'),
    isVerbose: given.has('verbose'),
    signal: interrupted,
    ...{ err, now, out, readFile },
  };
}

/** Returns a message for errors that the user can fix; null for internal ones. */
function messageOf(error: unknown, { path }: ClientCommand): string | null {
  if (error instanceof UsageError) return `${error.message}\nscheduler ${path} --help lists the options.`;
  if (error instanceof ApiError || error instanceof CommandError) return error.message;
  // Errors in files contain their position.
  if (error instanceof Error && error.name === 'ConfigError') return error.message;
  const { code, path: file } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `There is no file ${file}`;
  if (code === 'EACCES') return `May not read ${file}`;
  return code === 'EISDIR' ? 'A file was expected and a directory found' : null;
}
