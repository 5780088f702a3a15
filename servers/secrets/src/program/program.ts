import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { watchLock, withCommit, systemClock } from '@tamis/http';
import closeWithGrace from 'close-with-grace';
import { pino, type Logger } from 'pino';
import { helpOf, parseCommand, UsageError, type Command, type DevMode } from './arguments.js';
import { openAuditFile } from '../audit/audit-file.js';
import { authMethods } from '../server/auth-methods.js';
import {
  CommandError,
  runCancelRekey,
  runConfirmRekey,
  runGenerateRoot,
  runInit,
  runRekey,
  runUnseal,
} from './commands.js';
import { explain } from './explain.js';
import { migrateStore } from './migrate.js';
import { readUnsealKey } from '../seal/seal.js';
import { createSecretsServer, type SecretsServer } from '../server/server.js';
import type { ServerConfig } from '../server/server-config.js';
import { readServerSettings } from './settings/server-settings.js';
import { refuseOpenFile } from '../storage/file-mode.js';
import { restoreBackup } from '../storage/backup.js';
import { whileActive } from '../storage/while-active.js';
import { productVersion } from '../base/version.js';

/** Timeout for pending responses when the server is stopped, in ms. */
const graceDelay = 10_000;
const defaultAddress = 'http://127.0.0.1:8200';

const readText = (file: string): Promise<string> => readFile(file, 'utf8');

async function readSecret(file: string): Promise<string> {
  await refuseOpenFile(file);
  return readText(file);
}

/** Dependencies of both the server and its store. */
const surroundings = { clock: systemClock, randomBytes, uuid: randomUUID, readText, readSecret };

/**
 * Reads a variable and removes it from the environment, so that child processes and reports do not contain it. The value may be
 * in a file named by `NAME_FILE`.
 *
 * @throws CommandError if both are set
 */
async function takeVariable(name: string): Promise<string | undefined> {
  const [value = '', file = ''] = [name, `${name}_FILE`].map((each) => {
    const found = process.env[each];
    Reflect.deleteProperty(process.env, each);
    return found;
  });
  if (value !== '' && file !== '')
    throw new CommandError(`${name} and ${name}_FILE are both set: use one of them`);
  const text = file === '' ? value : (await readSecret(file)).replace(/\r?\n$/, '');
  return text === '' ? undefined : text;
}

/** Reads the variables that are fallbacks for unset fields of auth methods. */
async function takeMethodVariables(): Promise<Readonly<Record<string, string | undefined>>> {
  const names = [...new Set(authMethods.flatMap(({ variables }) => variables))];
  const values = await Promise.all(names.map(takeVariable));
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

/** Maximum length of unwritten log lines, in characters. Prevents a log that cannot be written from filling memory. */
const maxBacklogLines = 1_000_000;

/** Creates the log on standard error. Lines that cannot be written are dropped: a full disk must not end the server. */
function createLogger(): Logger {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: maxBacklogLines });
  destination.on('error', () => undefined);
  const options = {
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination);
}

async function readConfig(
  files: readonly string[],
  dev: DevMode | null,
  warn: (text: string) => void,
): Promise<ServerConfig> {
  const read = await Promise.all(files.map(async (name) => ({ name, text: await readText(name) })));
  const config = readServerSettings(read, { dev: dev !== null, onWarning: warn });
  const address = dev?.address ?? null;
  if (address === null) return config;
  const [first] = config.listeners;
  return { ...config, listeners: first === undefined ? [] : [{ ...first, ...address }] };
}

type ServerCommand = Extract<Command, { kind: 'server' }>;

async function runServer({ configFiles, dev }: ServerCommand): Promise<void> {
  const environment = await takeMethodVariables();
  const rootTokenId = dev?.rootTokenId ?? (await takeVariable('SECRETS_DEV_ROOT_TOKEN_ID')) ?? null;
  const keyText = await takeVariable('SECRETS_UNSEAL_KEY');
  const logger = createLogger();
  const warn = (text: string): void => logger.warn(text);
  const config = await readConfig(configFiles, dev, warn);
  logger.level = config.logLevel;
  // Opened first: if the wrong user starts the server, this fails before it creates a store.
  const auditSink = config.auditFile === null ? null : await openAuditFile(config.auditFile);
  const { storage, election } = await config.storage.open({ ...surroundings, logger });
  watchLock(storage.isOwn, () => {
    logger.fatal('another process has taken over the store, or its lock was removed: this one ends');
    process.exit(1);
  });
  const server = createSecretsServer(config, {
    ...surroundings,
    logger,
    storage,
    election,
    auditSink,
    fetch: globalThis.fetch,
    environment,
    random: Math.random,
    version: productVersion,
  });
  process.on('SIGHUP', () => void reload(server, configFiles, dev, logger));
  reopenLogs = () => server.reopenAudit().then((isNew) => isNew && logger.info('the audit log was reopened'));
  const starting = (async () => {
    const token = dev === null ? null : (await server.startUnsealed(rootTokenId)).rootToken;
    if (dev === null) await unsealAtStart(server, config, logger, keyText);
    return { rootToken: token, addresses: await server.listen() };
  })();
  // Registered before the server listens, because the store is open already. SIGHUP is skipped, because it reloads.
  const grace = closeWithGrace({ delay: graceDelay, logger, skip: ['SIGHUP'] }, async () => {
    await starting.catch(() => undefined);
    await server.close();
  });
  const { rootToken, addresses } = await starting.catch((error: unknown) => {
    grace.uninstall();
    throw error;
  });
  warnOfRisks(config, dev, logger);
  process.stdout.write(banner(addresses, config, server, rootTokenId === null ? rootToken : null));
}

/** Unseals the server with a key from the environment or a file, so that no operator is needed after a restart. */
async function unsealAtStart(
  server: SecretsServer,
  { unsealKeyFile }: ServerConfig,
  logger: Logger,
  variable?: string,
): Promise<void> {
  const text = variable ?? (unsealKeyFile === null ? undefined : await readSecret(unsealKeyFile));
  if (text === undefined || !(await server.isInitialized())) return;
  const key = readUnsealKey(text);
  if (key === null) {
    const where = variable === undefined ? unsealKeyFile : 'SECRETS_UNSEAL_KEY';
    throw new CommandError(
      `${where} does not contain an unseal key: 64 hex digits or 44 characters of base64`,
    );
  }
  await server.unseal(key);
  key.fill(0);
  const source = variable === undefined ? 'seal.key_file' : 'SECRETS_UNSEAL_KEY';
  logger.info({ source }, 'the server was unsealed at its start');
}

/**
 * Reloads the configuration. An invalid configuration changes nothing. The audit log is always reopened, because the operator may
 * have moved its file.
 */
async function reload(
  server: SecretsServer,
  files: readonly string[],
  dev: DevMode | null,
  logger: Logger,
): Promise<void> {
  const isAuditNew = await server.reopenAudit();
  try {
    const fresh = await readConfig(files, dev, (text) => logger.warn(text));
    logger.level = fresh.logLevel;
    await server.reload(fresh);
    const what = `response headers, certificates and log level have been read again${isAuditNew ? ', the audit log was reopened' : ''}`;
    logger.info(what);
  } catch (error) {
    const reason = explain(error);
    logger.error(
      reason === null ? { err: error } : { reason },
      'the configuration is invalid: nothing has changed',
    );
  }
}

function warnOfRisks(config: ServerConfig, dev: DevMode | null, logger: Logger): void {
  if (dev === null && config.auditFile === null)
    logger.warn('there is no audit log: add audit "file" { path = "..." }');
  if (config.storage.place === null)
    logger.warn('everything is stored in memory and is lost when this process ends');
  for (const { host, port, tls } of config.listeners) {
    const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
    if (tls === null && !isLocal)
      logger.warn(`${host}:${port} accepts tokens without TLS: anyone on the network path can read them`);
  }
}

function banner(
  addresses: readonly string[],
  config: ServerConfig,
  server: SecretsServer,
  rootToken: string | null,
): string {
  const lines = addresses.map((address) => `Listening on ${address}`);
  if (config.ui && addresses[0] !== undefined) lines.push(`Page         ${addresses[0]}/ui/`);
  for (const { path } of config.auth) lines.push(`Logins at    /v1/auth/${path}/login`);
  if (rootToken !== null) lines.push(`Root token   ${rootToken}`);
  if (server.isSealed())
    lines.push('The server is sealed: secrets init (the first time), then secrets unseal');
  return `${lines.join('\n')}\n`;
}

async function unsealKeyOf(keyFile: string | null): Promise<string> {
  const key = keyFile === null ? await takeVariable('SECRETS_UNSEAL_KEY') : await readSecret(keyFile);
  if (key !== undefined) return key;
  throw new UsageError('this needs --key-file FILE, or the key in SECRETS_UNSEAL_KEY');
}

async function takeToken(): Promise<{ readonly token: string }> {
  const token = await takeVariable('SECRETS_TOKEN');
  if (token !== undefined) return { token };
  throw new UsageError('this needs a token in SECRETS_TOKEN, or in a file that SECRETS_TOKEN_FILE names');
}

async function runRestore(configFiles: readonly string[], from: string): Promise<string> {
  const { storage: config, logLevel } = await readConfig(configFiles, null, () => undefined);
  if (config.place === null) throw new UsageError('the configuration has no persistent store');
  await stat(from);
  const logger = createLogger();
  logger.level = logLevel;
  const { storage, election } = await config.open({ ...surroundings, logger });
  try {
    const lines = (): AsyncIterable<string> =>
      createInterface({ input: createReadStream(from, 'utf8'), crlfDelay: Infinity });
    const restore = (): Promise<number> => restoreBackup(storage, lines, election !== null);
    const count = await (election === null ? restore() : whileActive(election, systemClock, restore));
    return `${count} ${count === 1 ? 'entry is' : 'entries are'} in ${config.place}: start the server, and unseal it with the key of the backup\n`;
  } finally {
    await storage.close();
  }
}

type MigrateCommand = Extract<Command, { kind: 'migrate' }>;

async function runMigrate({ from, configFiles, keyFile }: MigrateCommand): Promise<string> {
  const [sourceConfig, targetConfig] = await Promise.all(
    [[from], configFiles].map(async (files) => (await readConfig(files, null, () => undefined)).storage),
  );
  if (sourceConfig === undefined || targetConfig === undefined) throw new UsageError('two stores are needed');
  if (sourceConfig.place === null || targetConfig.place === null)
    throw new UsageError('both configurations must have a persistent store');
  if (sourceConfig.place === targetConfig.place)
    throw new CommandError(
      `both configurations name one store, ${sourceConfig.place}: name a new one to move it to`,
    );
  const text = keyFile === null ? await takeVariable('SECRETS_UNSEAL_KEY') : await readSecret(keyFile);
  const unsealKey = text === undefined ? null : readUnsealKey(text);
  if (text !== undefined && unsealKey === null)
    throw new CommandError('not an unseal key: 64 hex digits or 44 characters of base64');
  const context = { ...surroundings, logger: createLogger() };
  const source = await sourceConfig.open(context);
  try {
    const target = await targetConfig.open(context);
    try {
      const count = await migrateStore({ ...surroundings, source, target, unsealKey });
      return `${count} ${count === 1 ? 'entry' : 'entries'} of ${sourceConfig.place} ${count === 1 ? 'is' : 'are'} in ${targetConfig.place}, compared one by one: start servers there, and none on the old store\n`;
    } finally {
      await target.storage.close();
    }
  } finally {
    unsealKey?.fill(0);
    await source.storage.close();
  }
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2));
  const print = (text: string): void => void process.stdout.write(text);
  const remote = (address: string | null): Parameters<typeof runInit>[0] => ({
    address: address ?? process.env['SECRETS_ADDR'] ?? defaultAddress,
    fetch: globalThis.fetch,
    print,
  });
  switch (command.kind) {
    case 'help':
      return print(helpOf(command.of));
    case 'version':
      return print(`secrets ${withCommit(productVersion)}\n`);
    case 'init':
      return runInit(remote(command.address));
    case 'unseal':
      return runUnseal(remote(command.address), await unsealKeyOf(command.keyFile));
    case 'generate-root':
      return runGenerateRoot(remote(command.address), await unsealKeyOf(command.keyFile));
    case 'rekey': {
      const options = { ...remote(command.address), ...(await takeToken()) };
      if (command.step === 'cancel') return runCancelRekey(options);
      const run = command.step === 'confirm' ? runConfirmRekey : runRekey;
      return run(options, await unsealKeyOf(command.keyFile));
    }
    case 'restore':
      return print(await runRestore(command.configFiles, command.from));
    case 'migrate':
      return print(await runMigrate(command));
    case 'server':
      return runServer(command);
  }
}

/** Handler of SIGUSR1. Does nothing until the logs are open. */
let reopenLogs = async (): Promise<unknown> => undefined;
process.on('SIGUSR1', () => void reopenLogs());

main().catch((error: unknown) => {
  const message = explain(error);
  process.stderr.write(
    message === null ? `${error instanceof Error ? error.stack : String(error)}\n` : `${message}\n`,
  );
  // Exits explicitly, because open files and sockets would keep the process alive.
  process.exit(error instanceof UsageError ? 2 : 1);
});
