import { createWriteStream, existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import manifest from '../../package.json' with { type: 'json' };
import { findMistakes, mistakesAsJson, mistakesAsText } from '../commands/check-files.js';
import { CommandError } from '../commands/command-error.js';
import { completionScript } from '../commands/completion-scripts.js';
import { exportAgent } from '../commands/export-agent.js';
import { exportStore } from '../commands/export-store.js';
import { helpText } from '../commands/help.js';
import { describeImport, importStore } from '../commands/import-store.js';
import {
  readLocalArguments,
  type ExportSource,
  type LocalArguments,
  type OperatorCommand,
} from '../commands/local-arguments.js';
import { createProgress, percentOf, type Progress } from '../commands/progress.js';
import { countItems } from '../progress/count-items.js';
import { watchLoading } from '../progress/watch-loading.js';
import { buildConfig } from '../settings/build-config.js';
import { readSettings } from '../settings/read-settings.js';
import { readSecretVariables, secretVariables } from '../settings/secret-variables.js';
import { fillDataDirectory, openDataDirectory } from '../storage/drivers/data-directory.js';
import { etcdPlaceOf } from '../storage/drivers/etcd.js';
import { hasLmdbStore } from '../storage/lmdb.js';
import { systemClock } from '../system-clock.js';
import { linesOfFile, linesOfStream, requireFile } from './read-lines.js';
import { readSettingsFiles, secretFiles } from './settings-files.js';

/** Runs a command about this machine. @param overview what `help` says without a topic. */
export async function runLocal(name: string, args: readonly string[], overview: () => string): Promise<void> {
  const command = readLocalArguments(name, args);
  switch (command.kind) {
    case 'agent': {
      const { runAgent } = await import('./run-agent.js');
      return runAgent(command);
    }
    case 'check':
      return runCheck(command);
    case 'import':
      return runImport(command);
    case 'export':
      return runExport(command);
    case 'operator':
      return runOperatorCommand(command);
    case 'help':
      process.stdout.write((command.topic === null ? null : helpText(command.topic)) ?? overview());
      return;
    case 'completion':
      process.stdout.write(completionScript(command.shell));
      return;
    case 'version':
      process.stdout.write(
        command.json ? `${JSON.stringify({ version: manifest.version })}\n` : `${manifest.version}\n`,
      );
  }
}

async function runCheck({ files, json }: Extract<LocalArguments, { readonly kind: 'check' }>): Promise<void> {
  const mistakes = findMistakes(await readSettingsFiles(files));
  process.stdout.write(json ? mistakesAsJson(mistakes) : mistakesAsText(mistakes));
  if (mistakes.length > 0) process.exitCode = 1;
  else if (!json) process.stdout.write('no mistakes\n');
}

async function runImport(command: Extract<LocalArguments, { readonly kind: 'import' }>): Promise<void> {
  const { file, dataDir, json } = command;
  // A file that is not there is told of before a store is made for it.
  if (file !== '-') requireFile(file);
  const progress = progressOnTerminal();
  const source = file === '-' ? linesOfStream(process.stdin) : linesOfFile(file);
  const lines = countItems(
    source.lines,
    progress.listener({
      step: (count) => `imported ${count} lines${percentOf(source.done())}`,
      end: (count) => `imported ${count} lines`,
    }),
  );
  const name = file === '-' ? 'standard input' : file;
  const imported = await fillDataDirectory(dataDir, (storage) =>
    importStore({ storage, lines, file: name }),
  ).finally(progress.end);
  if (imported === null) {
    throw new CommandError('The store holds something already: name another data directory');
  }
  const { counts, index } = imported;
  process.stdout.write(json ? `${JSON.stringify({ imported: counts, index })}\n` : describeImport(imported));
}

/** Shown on standard error, where that is a terminal. */
function progressOnTerminal(isWanted = true): Progress {
  const { stderr } = process;
  return createProgress(isWanted && stderr.isTTY ? (text) => void stderr.write(text) : null);
}

async function exportLines(from: ExportSource, progress: Progress): Promise<AsyncIterable<string>> {
  if (from.kind === 'agent') {
    return exportAgent({ address: from.address, token: await readToken(), fetch });
  }
  if (!hasLmdbStore(from.dataDir)) {
    throw new CommandError(
      `There is no store in ${from.dataDir}: what servers keep in etcd is exported from one of them, with --address`,
    );
  }
  const { storage } = await openDataDirectory(from.dataDir);
  const listener = progress.listener({
    step: (count) => `read ${count} rows of the store`,
    end: (count) => `putting ${count} rows in order`,
  });
  return exportStore(watchLoading(storage, listener), systemClock);
}

async function runExport({
  from,
  output,
}: Extract<LocalArguments, { readonly kind: 'export' }>): Promise<void> {
  if (output !== null && existsSync(output)) throw new CommandError(`${output} is there already`);
  // What goes to the terminal itself shows how far it is.
  const progress = progressOnTerminal(output !== null || !process.stdout.isTTY);
  const counted = countItems(
    await exportLines(from, progress),
    progress.listener({
      step: (count) => `wrote ${count} lines`,
      end: (count) => `wrote ${count} lines`,
    }),
  );
  const lines = Readable.from(counted);
  try {
    if (output === null) {
      await pipeline(lines, process.stdout);
      return;
    }
    await pipeline(lines, createWriteStream(output, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    // Half an export would look like a whole one.
    if (output !== null && (error as NodeJS.ErrnoException).code !== 'EEXIST')
      await unlink(output).catch(() => undefined);
    throw error;
  } finally {
    progress.end();
  }
}

async function runOperatorCommand({ action, files, flags }: OperatorCommand): Promise<void> {
  const texts = await readSettingsFiles(files);
  const environment = await readSecretVariables(process.env, secretVariables, secretFiles);
  const { given } = readSettings({ files: texts, environment, flags });
  const config = buildConfig(given, { devMode: false, files });
  const etcd = etcdPlaceOf(config);
  if (action.kind === 'servers' && etcd === null && (process.env['SCHEDULER_ADDR'] ?? '') !== '') {
    return showServersOfAgent(action.json);
  }
  // As `agent` does, only where it is needed.
  const { runOperator } = await import('../commands/operator.js');
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

/** The servers as an agent knows them, for whoever names an agent and no etcd. */
async function showServersOfAgent(isJson: boolean): Promise<void> {
  const [{ commandTable }, { runInProcess }] = await Promise.all([
    import('../commands/command-table.js'),
    import('./run-in-process.js'),
  ]);
  const members = commandTable.find(({ path }) => path === 'server members');
  if (members?.kind !== 'client') return;
  process.exitCode = await runInProcess(members, isJson ? ['--json'] : []);
  process.stderr.write('How far each has come, and how etcd is, is told with --etcd-endpoint or --config.\n');
}

/** The token of whoever asks an agent; null for none, and for an empty one, as it is for settings. */
async function readToken(): Promise<string | null> {
  const name = 'SCHEDULER_TOKEN';
  const environment = await readSecretVariables(process.env, [name], secretFiles);
  return environment[name] || null;
}
