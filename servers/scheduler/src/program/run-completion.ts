import { createApiClient } from '@tamis/scheduler-command/api/api-client.js';
import { createCandidateSource } from '@tamis/scheduler-command/candidate-source.js';
import { readClientSettings } from './local/client-settings.js';
import { commandTable } from './local/command-table.js';
import { completeLine } from '@tamis/scheduler-command/complete-line.js';
import { createGiven } from '@tamis/scheduler-command/given.js';
import { secretFiles } from './settings-files.js';

/** Timeout for a server's response to a tab completion, in ms. */
const timeoutMs = 1_000;

/** Writes the completions of a command line, for a shell script. Never fails. */
export async function runCompletion(words: readonly string[]): Promise<void> {
  const settings = await readClientSettings(
    createGiven(new Map(), flagsIn(words)),
    process.env,
    secretFiles,
  ).catch(() => null);
  const api =
    settings === null
      ? null
      : createApiClient({ ...settings, fetch, signal: AbortSignal.timeout(timeoutMs) });
  const source = createCandidateSource(api, settings?.namespace ?? null);
  const found = await completeLine(commandTable, words, source).catch(() => null);
  const lines = found?.kind === 'files' ? ['files'] : ['words', ...(found?.words ?? [])];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The agent that the incomplete command line addresses. */
function flagsIn(words: readonly string[]): Readonly<Record<string, string>> {
  const flags = ['address', 'region', 'namespace', 'token'].flatMap((name) => {
    const at = words.lastIndexOf(`--${name}`);
    const value =
      at === -1 ? words.find((word) => word.startsWith(`--${name}=`))?.split('=', 2)[1] : words[at + 1];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(flags);
}
