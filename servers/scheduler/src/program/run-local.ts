import { createWriteStream, existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buildCommit, withCommit, systemClock } from '@tamis/http';
import { completionScript, shells } from 'tamis/internal';
import manifest from '../../package.json' with { type: 'json' };
import { findMistakes, mistakesAsJson, mistakesAsText } from './local/check-files.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { exportAgent } from './local/export-agent.js';
import { exportStore } from './local/export-store.js';
import { describeImport, importStore } from './local/import-store.js';
import type { LocalCommand, LocalPath } from '@tamis/scheduler-command/command.js';
import { readGiven } from '@tamis/scheduler-command/find-command.js';
import type { Given } from '@tamis/scheduler-command/given.js';
import type { OperatorAction } from './local/operator.js';
import { createProgress, percentOf, type Progress } from './local/progress.js';
import { givenSettings } from './local/setting-flags.js';
import { UsageError } from '@tamis/scheduler-command/usage-error.js';
import { countItems } from '@tamis/scheduler-state/progress/count-items.js';
import { watchLoading } from '@tamis/scheduler-state/progress/watch-loading.js';
import type { TlsConfig } from '../agent/settings/agent-config.js';
import { buildConfig } from '../agent/settings/build-config.js';
import { readSettings } from '../agent/settings/read-settings.js';
import { readSecretVariables, secretVariables } from '../agent/settings/secret-variables.js';
import { readTlsMaterial } from '../agent/settings/tls-material.js';
import { fillDataDirectory, openDataDirectory } from '@tamis/scheduler-state/drivers/data-directory.js';
import { etcdPlaceOf } from '@tamis/scheduler-state/drivers/etcd.js';
import { hasLmdbStore } from '@tamis/scheduler-state/storage/lmdb.js';
import { linesOfFile, linesOfStream, requireFile } from './read-lines.js';
import { readSettingsFiles, secretFiles } from './settings-files.js';

/** Runs a local command. */
export async function runLocal(command: LocalCommand, args: readonly string[]): Promise<void> {
  const given = await readGiven(command, args);
  try {
    await runs[command.path](given);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, command.path) : error;
  }
}

const runs: Readonly<Record<LocalPath, (given: Given) => unknown>> = {
  async agent(given) {
    const { runAgent } = await import('./run-agent.js');
    await runAgent(given.texts('config'), given.has('dev'), givenSettings(given));
  },
  check: runCheck,
  import: runImport,
  export: runExport,
  'operator servers': (given) => runOperatorCommand({ kind: 'servers', json: given.has('json') }, given),
  'operator snapshot save': (given) =>
    runOperatorCommand({ kind: 'save', file: given.required('FILE') }, given),
  'operator snapshot restore': (given) =>
    runOperatorCommand({ kind: 'restore', file: given.required('FILE') }, given),
  completion(given) {
    const shell = shells.find((one) => one === given.required('SHELL'));
    if (shell === undefined) throw new UsageError(`completion for which shell? One of ${shells.join(', ')}`);
    process.stdout.write(completionScript('scheduler', shell));
  },
  version(given) {
    const { version } = manifest;
    const said = given.has('json')
      ? JSON.stringify({ version, commit: buildCommit() || null })
      : withCommit(version);
    process.stdout.write(`${said}\n`);
  },
  // Never called: the program handles `help` before it runs a command.
  help: () => undefined,
};

async function runCheck(given: Given): Promise<void> {
  const isJson = given.has('json');
  const readTls = (tls: TlsConfig) => readTlsMaterial(tls, secretFiles, Date.now());
  const mistakes = await findMistakes(await readSettingsFiles(given.all('FILE')), { readTls });
  process.stdout.write(isJson ? mistakesAsJson(mistakes) : mistakesAsText(mistakes));
  if (mistakes.length > 0) process.exitCode = 1;
  else if (!isJson) process.stdout.write('no mistakes\n');
}

async function runImport(given: Given): Promise<void> {
  const file = given.required('FILE');
  const dataDir = given.text('data-dir');
  if (dataDir === null) throw new UsageError('import into which store? scheduler import FILE --data-dir DIR');
  // A missing file is reported before a store is created for it.
  if (file !== '-') requireFile(file);
  const progress = progressOnTerminal();
  const name = file === '-' ? 'standard input' : file;
  const source = file === '-' ? linesOfStream(process.stdin, name) : linesOfFile(file);
  const lines = countItems(
    source.lines,
    progress.listener({
      step: (count) => `imported ${count} lines${percentOf(source.done())}`,
      end: (count) => `imported ${count} lines`,
    }),
  );
  const imported = await fillDataDirectory(dataDir, (storage) =>
    importStore({ storage, lines, file: name }),
  ).finally(progress.end);
  if (imported === null) {
    throw new CommandError('The store holds something already: name another data directory');
  }
  const { counts, index } = imported;
  process.stdout.write(
    given.has('json') ? `${JSON.stringify({ imported: counts, index })}\n` : describeImport(imported),
  );
}

/** Shows progress on standard error if that is a terminal. */
function progressOnTerminal(isEnabled = true): Progress {
  const { stderr } = process;
  return createProgress(isEnabled && stderr.isTTY ? (text) => void stderr.write(text) : null);
}

/** Returns the lines of a store or a running agent. @throws UsageError unless one of them is given */
async function exportLines(given: Given, progress: Progress): Promise<AsyncIterable<string>> {
  const [dataDir, address] = [given.text('data-dir'), given.text('address')];
  if (address !== null && dataDir === null) {
    if (!/^https?:\/\//.test(address) || !URL.canParse(address))
      throw new UsageError(`--address is a URL such as http://127.0.0.1:4646, not "${address}"`);
    return exportAgent({ address, token: await readToken(), fetch });
  }
  if (dataDir === null || address !== null)
    throw new UsageError('export from where? Give one of --data-dir DIR and --address URL');
  if (!hasLmdbStore(dataDir)) {
    throw new CommandError(
      `There is no store in ${dataDir}: what servers keep in etcd is exported from one of them, with --address`,
    );
  }
  const { storage } = await openDataDirectory(dataDir);
  const listener = progress.listener({
    step: (count) => `read ${count} rows of the store`,
    end: (count) => `putting ${count} rows in order`,
  });
  return exportStore(watchLoading(storage, listener), systemClock);
}

async function runExport(given: Given): Promise<void> {
  const output = given.text('output');
  if (output !== null && existsSync(output)) throw new CommandError(`${output} is there already`);
  // Output to the terminal already shows the progress.
  const progress = progressOnTerminal(output !== null || !process.stdout.isTTY);
  const counted = countItems(
    await exportLines(given, progress),
    progress.listener({
      step: (count) => `wrote ${count} lines`,
      end: (count) => `wrote ${count} lines`,
    }),
  );
  const lines = Readable.from(withEnds(counted));
  try {
    if (output === null) {
      await pipeline(lines, process.stdout);
      return;
    }
    await pipeline(lines, createWriteStream(output, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    // A partial export would look like a complete one.
    if (output !== null && (error as NodeJS.ErrnoException).code !== 'EEXIST')
      await unlink(output).catch(() => undefined);
    throw error;
  } finally {
    progress.end();
  }
}

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function runOperatorCommand(action: OperatorAction, given: Given): Promise<void> {
  const names = given.texts('config');
  const files = await readSettingsFiles(names);
  const environment = await readSecretVariables(process.env, secretVariables, secretFiles);
  const settings = readSettings({ files, environment, flags: givenSettings(given) });
  const config = buildConfig(settings.given, { devMode: false, files: names });
  const etcd = etcdPlaceOf(config);
  if (action.kind === 'servers' && etcd === null && (process.env['SCHEDULER_ADDR'] ?? '') !== '') {
    return serversOfAgentJson(action.json);
  }
  // Loaded on demand, as in `agent`.
  const { runOperator } = await import('./local/operator.js');
  const { text, isWell } = await runOperator({
    action,
    etcd,
    region: config.region,
    token: await readToken(),
    fetch,
  });
  process.stdout.write(text);
  if (!isWell) process.exitCode = 1;
}

/** Prints the servers that an agent knows, for commands with an agent address and no etcd. */
async function serversOfAgentJson(isJson: boolean): Promise<void> {
  const [{ commandTable }, { runInProcess }] = await Promise.all([
    import('./local/command-table.js'),
    import('./run-in-process.js'),
  ]);
  const members = commandTable.find(({ path }) => path === 'server members');
  if (members === undefined || members.kind === 'local') return;
  process.exitCode = await runInProcess(members, isJson ? ['--json'] : []);
  process.stderr.write('How far each has come, and the state of etcd, needs --etcd-endpoint or --config.\n');
}

/** Returns the token for calls to an agent; null if missing or empty, as for settings. */
async function readToken(): Promise<string | null> {
  const name = 'SCHEDULER_TOKEN';
  const environment = await readSecretVariables(process.env, [name], secretFiles);
  return environment[name] || null;
}
