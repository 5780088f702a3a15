import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { systemProcesses } from '@tamis/http';
import { EtcdError } from '@tamis/etcd/settings';
import closeWithGrace from 'close-with-grace';
import { ConfigError, defaultConfigLimits, formatMistake } from '@tamis/config';
import { pino } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import { createAgent, type Agent } from './agent.js';
import type { AgentDependencies } from './agent/agent-dependencies.js';
import { createClientAgent } from './agent/client-agent.js';
import type { AgentConfig, TlsConfig, TlsMaterial } from './agent-config.js';
import {
  parseCommand,
  UsageError,
  type Command,
  type ExportSource,
  type OperatorCommand,
} from './arguments.js';
import { ImportError } from './cluster/import.js';
import { findMistakes, mistakesAsJson, mistakesAsText } from './commands/check-files.js';
import { CommandError } from './commands/command-error.js';
import { exportAgent } from './commands/export-agent.js';
import { exportStore } from './commands/export-store.js';
import { helpText } from './commands/help.js';
import { describeImport, importStore } from './commands/import-store.js';
import { createProgress } from './commands/progress.js';
import { createMachine } from './host/machine.js';
import { renewCertificate } from './http/certificate.js';
import { readSite } from './http/console/site.js';
import { createLogHub, type LogHub } from './logs/log-hub.js';
import { buildConfig } from './settings/build-config.js';
import { readSettings, type SettingsFile } from './settings/read-settings.js';
import { readSecretVariables, secretVariables, type SecretFiles } from './settings/secret-variables.js';
import { readTlsMaterial, TlsError } from './settings/tls-material.js';
import { indexOf } from './state/snapshot.js';
import { tableShapes } from './model/resources.js';
import { hasLmdbStore, openLmdbStorage } from './storage/lmdb.js';
import { createMemoryStorage } from './storage/memory.js';
import { StorageError } from './storage/storage-error.js';
import type { Storage } from './storage/storage.js';
import { banner, clientBanner } from './banner.js';
import { systemClock } from './system-clock.js';

const secretFiles: SecretFiles = {
  read: (path) => readFile(path),
  modeOf: async (path) => (await stat(path)).mode,
};

async function* readLines(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
}

/** The storage that the configuration asks for, and the etcd in which servers elect their leader. */
type OpenStorage = Pick<AgentDependencies, 'storage' | 'etcd'>;

/** @throws StorageError when etcd cannot be reached or the data directory cannot be used. */
async function openStorage({ etcd, dataDir }: AgentConfig): Promise<OpenStorage> {
  if (etcd === null) return { storage: openOwnStorage(dataDir) };
  // Its client is large, and nobody else needs it.
  const { openEtcd } = await import('./agent/open-etcd.js');
  return openEtcd(etcd, systemClock);
}

/** @throws StorageError when the data directory cannot be used. */
function openOwnStorage(dataDir: string | null): Storage {
  if (dataDir === null) return createMemoryStorage();
  const processes = systemProcesses(process.pid, (pid, signal) => process.kill(pid, signal));
  return openLmdbStorage({ dir: dataDir, shapes: tableShapes, processes });
}

/** The texts of configuration files; a directory stands for its .hcl and .json files, in the order of their names. */
async function readSettingsFiles(paths: readonly string[]): Promise<readonly SettingsFile[]> {
  const names = paths.flatMap((path) => (statSync(path).isDirectory() ? settingsFilesIn(path) : [path]));
  return Promise.all(names.map(async (name) => ({ name, text: await readStart(name) })));
}

/** An agent that finds no settings where it was told to look would start as if nobody had set it up. */
function settingsFilesIn(directory: string): readonly string[] {
  const names = readdirSync(directory).filter((name) => /\.(?:hcl|json)$/.test(name));
  if (names.length === 0) throw new CommandError(`There is no .hcl or .json file in ${directory}`);
  return names.sort().map((name) => join(directory, name));
}

/** As much of a file as can be settings, and enough more to be refused: a device never ends. */
async function readStart(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  const most = 4 * defaultConfigLimits.maxLength;
  for await (const chunk of createReadStream(path, { end: most })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

type AgentCommand = Extract<Command, { readonly kind: 'agent' }>;

async function runAgent(command: AgentCommand): Promise<void> {
  const files = await readSettingsFiles(command.files);
  const environment = await readSecretVariables(process.env, secretVariables, secretFiles);
  const { given, warnings } = readSettings({ files, environment, flags: command.flags });
  const started = { devMode: command.devMode, files: files.map(({ name }) => name) };
  const config = buildConfig(given, started);
  const tls = config.tls === null ? null : await readTlsMaterial(config.tls, secretFiles, Date.now());
  // Lines that are written at once are neither lost nor out of order when the process ends.
  const standardError = pino.destination({ dest: 2, sync: true });
  const logs = createLogHub({ level: config.logLevel, write: (line) => void standardError.write(line) });
  for (const warning of warnings) logs.logger.warn(formatMistake(warning));
  await startAgent(config, tls, logs);
}

async function startAgent(config: AgentConfig, tls: TlsMaterial | null, logs: LogHub): Promise<void> {
  const surroundings = {
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    logs,
    machine: createMachine({ environment: process.env, runtimeVersion: process.version }),
    commandLine: process.argv,
    report: () => process.report.getReport(),
    tls,
    // Beside the program, where the build has put it.
    site: await readSite(fileURLToPath(new URL('./ui/', import.meta.url))),
  };
  logs.logger.info(describeStart(config), 'agent starting');
  if (!config.server.enabled) {
    if (config.client.servers.length === 0) {
      logs.logger.warn('this client knows no servers: set client.servers, or POST /v1/agent/servers');
    }
    const client = await createClientAgent(config, surroundings);
    const address = await run(client, logs);
    renewOnHangUp(client, config.tls, logs);
    process.stdout.write(clientBanner(address, config.tls));
    return;
  }
  const agent = await createAgent(config, { ...surroundings, ...(await openStorage(config)), readLines });
  const address = await run(agent, logs);
  renewOnHangUp(agent, config.tls, logs);
  const index = indexOf(agent.state.snapshot(), ['jobs', 'job_summaries']);
  process.stdout.write(banner(address, index, config.tls));
}

/** The facts that somebody who reads the log later wants to know first. */
function describeStart(config: AgentConfig): object {
  const { acl, client, dataDir, devMode, files, nodeName, region, server } = config;
  const modes = { server: server.enabled, client: client.enabled, dev: devMode, acl: acl.enabled };
  return { version: manifest.version, name: nodeName, region, ...modes, dataDir, files };
}

/** Listens until the process is told to stop, or meets an error that nobody handles. Returns the address. */
async function run(agent: Pick<Agent, 'listen' | 'close' | 'abandon'>, { logger }: LogHub): Promise<string> {
  process.on('SIGUSR1', () => {
    logger.info('SIGUSR1: nothing to open again, the log goes to standard error');
  });
  // However the process ends, no task outlives it; only a kill leaves some, for the next start to end.
  process.once('exit', agent.abandon);
  const listening = agent.listen();
  // Before it listens, for there may be tasks by then. They get the time that their jobs give them to end; a second
  // signal ends all at once.
  const grace = closeWithGrace({ delay: false, logger, skip: ['SIGHUP'] }, async ({ err, signal }) => {
    if (err === undefined) logger.info({ signal }, 'agent stopping');
    else logger.error({ err }, 'agent stopping after an error');
    await listening.catch(() => undefined);
    await agent.close();
    logger.info('agent stopped');
  });
  return listening.catch(async (error: unknown) => {
    grace.uninstall();
    // Some of it may listen already, which would keep the process alive.
    await agent.close();
    throw error;
  });
}

/** SIGHUP reads the certificate of the HTTP API again. One that cannot be used leaves the old one in its place. */
function renewOnHangUp({ app }: Pick<Agent, 'app'>, tls: TlsConfig | null, { logger }: LogHub): void {
  process.on('SIGHUP', () => {
    if (tls?.http !== true) return;
    readTlsMaterial(tls, secretFiles, Date.now()).then(
      (material) => {
        renewCertificate(app.server, material);
        logger.info({ file: tls.certFile }, 'certificate read again');
      },
      (error: unknown) => logger.error({ err: error }, 'certificate not changed'),
    );
  });
}

async function runCheck({ files, json }: Extract<Command, { readonly kind: 'check' }>): Promise<void> {
  const mistakes = findMistakes(await readSettingsFiles(files));
  process.stdout.write(json ? mistakesAsJson(mistakes) : mistakesAsText(mistakes));
  if (mistakes.length > 0) process.exitCode = 1;
  else if (!json) process.stdout.write('no mistakes\n');
}

async function runImport(command: Extract<Command, { readonly kind: 'import' }>): Promise<void> {
  const { file, dataDir, json } = command;
  const size = file === '-' ? 0 : statSync(file).size;
  const source = file === '-' ? process.stdin : createReadStream(file);
  const show = process.stderr.isTTY ? (text: string) => void process.stderr.write(text) : null;
  const progress = createProgress(show, () =>
    'bytesRead' in source && size > 0 ? source.bytesRead / size : null,
  );
  const lines = progress.watch(createInterface({ input: source, crlfDelay: Infinity }));
  const name = file === '-' ? 'standard input' : file;
  const storage = openOwnStorage(dataDir);
  const imported = await importStore({ storage, clock: systemClock, lines, file: name }).finally(
    progress.end,
  );
  const { counts, index } = imported;
  process.stdout.write(json ? `${JSON.stringify({ imported: counts, index })}\n` : describeImport(imported));
}

async function exportLines(from: ExportSource): Promise<AsyncIterable<string>> {
  if (from.kind === 'agent') {
    return exportAgent({ address: from.address, token: await readToken(), fetch });
  }
  if (!hasLmdbStore(from.dataDir)) {
    throw new CommandError(
      `There is no store in ${from.dataDir}: what servers keep in etcd is exported from one of them, with --address`,
    );
  }
  return exportStore(openOwnStorage(from.dataDir), systemClock);
}

async function runExport({ from, output }: Extract<Command, { readonly kind: 'export' }>): Promise<void> {
  if (output !== null && existsSync(output)) throw new CommandError(`${output} is there already`);
  const lines = Readable.from(await exportLines(from));
  if (output === null) {
    await pipeline(lines, process.stdout);
    return;
  }
  try {
    await pipeline(lines, createWriteStream(output, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    // Half an export would look like a whole one.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await unlink(output).catch(() => undefined);
    throw error;
  }
}

async function runOperatorCommand({ action, files, flags }: OperatorCommand): Promise<void> {
  const texts = await readSettingsFiles(files);
  const environment = await readSecretVariables(process.env, secretVariables, secretFiles);
  const { given } = readSettings({ files: texts, environment, flags });
  const config = buildConfig(given, { devMode: false, files });
  // As `agent` does, only where it is needed.
  const { runOperator } = await import('./commands/operator.js');
  const { text, isWell } = await runOperator({ action, config, token: await readToken(), fetch });
  process.stdout.write(text);
  if (!isWell) process.exitCode = 1;
}

/** The token of whoever asks an agent; null for none, and for an empty one, as it is for settings. */
async function readToken(): Promise<string | null> {
  const name = 'SCHEDULER_TOKEN';
  const environment = await readSecretVariables(process.env, [name], secretFiles);
  return environment[name] || null;
}

/** A message for what the user can set right, null for what is our own fault. */
function explain(error: unknown): string | null {
  if (error instanceof ImportError) return `Nothing was imported. ${error.message}`;
  if (error instanceof StorageError || error instanceof CommandError) return `${error.message}.`;
  if (error instanceof EtcdError) return `${error.message}.`;
  if (error instanceof ConfigError || error instanceof TlsError) return error.message;
  if (error instanceof UsageError) {
    const command = error.command === null ? '' : ` ${error.command}`;
    return `${error.message}\nscheduler${command} --help shows how it goes.`;
  }
  const { code, path, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use, perhaps by another agent: choose others with --port, --rpc-port and --serf-port, or 0 for any.`;
    case 'EACCES':
      return port === undefined
        ? `May not read ${path}.`
        : `May not listen on port ${port}: choose one above 1023.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine: choose one with --bind, such as 127.0.0.1.`;
    case 'ENOTFOUND':
      return `The address to listen on is not known: choose one with --bind, such as 127.0.0.1.`;
    case 'ENOENT':
      return `There is no file ${path}.`;
    case 'EISDIR':
      return 'A file was expected and a directory found.';
    default:
      return null;
  }
}

/** A mistake on the command line is 2, as the shell's own commands have it. */
function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  return error instanceof ConfigError && error.mistakes.some(({ at }) => at.source.startsWith('--')) ? 2 : 1;
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2));
  switch (command.kind) {
    case 'agent':
      return runAgent(command);
    case 'check':
      return runCheck(command);
    case 'import':
      return runImport(command);
    case 'export':
      return runExport(command);
    case 'operator':
      return runOperatorCommand(command);
    case 'help':
      process.stdout.write(helpText(command.topic));
      return;
    case 'version':
      process.stdout.write(
        command.json ? `${JSON.stringify({ version: manifest.version })}\n` : `${manifest.version}\n`,
      );
  }
}

main().catch((error: unknown) => {
  // Whoever read the output has seen enough.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
  const message = explain(error);
  process.stderr.write(
    message === null ? `${error instanceof Error ? error.stack : String(error)}\n` : `${message}\n`,
  );
  process.exitCode = exitCodeOf(error);
});
