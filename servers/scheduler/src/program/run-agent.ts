import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import closeWithGrace from 'close-with-grace';
import { formatMistake, type GivenSettings } from '@tamis/config';
import { watchLock, systemClock } from '@tamis/http';
import { pino } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { createAgent, type Agent } from '../agent/agent.js';
import type { AgentConfig, TlsConfig, TlsMaterial } from '../agent/settings/agent-config.js';
import { createClientAgent } from '../agent/client-agent.js';
import { banner, clientBanner } from './banner.js';
import { createMachine } from '@tamis/scheduler-model/host/machine.js';
import { readSite } from '../api/kernel/site.js';
import { createLogHub, type LogHub } from '../services/logs/log-hub.js';
import { collectGarbage } from '../services/profiles/collect-garbage.js';
import { buildConfig } from '../agent/settings/build-config.js';
import { changedSettings } from '../agent/settings/changed-settings.js';
import { readSettings, type Flags } from '../agent/settings/read-settings.js';
import { readSecretVariables, secretVariables } from '../agent/settings/secret-variables.js';
import { readTlsMaterial } from '../agent/settings/tls-material.js';
import { indexOf } from '@tamis/scheduler-state/state/snapshot.js';
import type { OpenStore } from '@tamis/scheduler-state/drivers/driver.js';
import { openFilledStore } from './fill-store.js';
import { linesOfFile } from './read-lines.js';
import { readSettingsFiles, secretFiles } from './settings-files.js';

/** Starts an agent. Resolves once it listens. @param names files with settings */
export async function runAgent(names: readonly string[], devMode: boolean, flags: Flags): Promise<void> {
  const files = await readSettingsFiles(names);
  const environment = await readSecretVariables(process.env, secretVariables, secretFiles);
  const { given, warnings } = readSettings({ files, environment, flags });
  const started = { devMode, files: files.map(({ name }) => name) };
  const config = buildConfig(given, started);
  const tls = config.tls === null ? null : await readTlsMaterial(config.tls, secretFiles, Date.now());
  // Synchronous writes are neither lost nor reordered when the process ends.
  const standardError = pino.destination({ dest: 2, sync: true });
  const logs = createLogHub({ level: config.logLevel, write: (line) => void standardError.write(line) });
  for (const warning of warnings) logs.logger.warn(formatMistake(warning));
  await startAgent(config, tls, logs);
  const readAgain = async (): Promise<GivenSettings> =>
    readSettings({ files: await readSettingsFiles(names), environment, flags }).given;
  if (names.length > 0) compareOnHangUp(given, readAgain, logs);
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
    // The build puts the console next to the program; this file is bundled into the same folder.
    site: await readSite(fileURLToPath(new URL('./ui/', import.meta.url))),
    // `npm run docs:site` builds it in the repository.
    docsFolder: fileURLToPath(new URL('../../../extra/site/dist/', import.meta.url)),
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
  const { fill, isOwn, ...opened } = await openFilledStore(config, logs);
  const agent = await createAgent(
    { ...config, fill },
    {
      ...surroundings,
      ...opened,
      readLines: linesOfFile,
      collectGarbage,
      fatal: endBy,
    },
  );
  await collectGarbage();
  endWhenTakenOver(agent.app, isOwn, logs);
  const address = await run(agent, logs);
  renewOnHangUp(agent, config.tls, logs);
  const index = indexOf(agent.state.snapshot(), ['jobs', 'job_summaries']);
  process.stdout.write(banner(address, index, config.tls));
}

/** Exits immediately if another process has taken over the data directory, before sending outdated responses. */
function endWhenTakenOver(app: Agent['app'], isOwn: OpenStore['isOwn'], { logger }: LogHub): void {
  const end = (): never => {
    logger.fatal('another process has taken over the data directory, or its lock was removed: this one ends');
    process.exit(1);
  };
  watchLock(isOwn, end);
  app.addHook('onSend', async (_request, _reply, payload) => (isOwn() ? payload : end()));
}

/** Shuts the process down properly after an unhandled error. */
function endBy(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** Returns the most important facts for the log. */
function describeStart(config: AgentConfig): object {
  const { acl, client, dataDir, devMode, files, nodeName, region, server } = config;
  const modes = { server: server.enabled, client: client.enabled, dev: devMode, acl: acl.enabled };
  return { version: manifest.version, name: nodeName, region, ...modes, dataDir, files };
}

/** Listens until the process is stopped or has an unhandled error. Returns the address. */
async function run(agent: Pick<Agent, 'listen' | 'close' | 'abandon'>, { logger }: LogHub): Promise<string> {
  process.on('SIGUSR1', () => {
    logger.info('SIGUSR1: nothing to open again, the log goes to standard error');
  });
  // No task outlives the process, however it ends. Only a kill leaves some, which the next start ends.
  process.once('exit', agent.abandon);
  const listening = agent.listen();
  // Registered before listening, because tasks may run by then. They get the time that their jobs define to stop; a second signal
  // kills all of them.
  const grace = closeWithGrace({ delay: false, logger, skip: ['SIGHUP'] }, async ({ err, signal }) => {
    if (err === undefined) logger.info({ signal }, 'agent stopping');
    else logger.error({ err }, 'agent stopping after an error');
    await listening.catch(() => undefined);
    await agent.close();
    logger.info('agent stopped');
  });
  return listening.catch(async (error: unknown) => {
    grace.uninstall();
    // Some listeners may be open already and would keep the process alive.
    await agent.close();
    throw error;
  });
}

/** On SIGHUP, compares the files with the settings at the start. Changed settings are not applied while the agent runs. */
function compareOnHangUp(
  given: GivenSettings,
  readAgain: () => Promise<GivenSettings>,
  { logger }: LogHub,
): void {
  process.on('SIGHUP', () => {
    readAgain().then(
      (now) => {
        for (const setting of changedSettings(given, now)) {
          logger.warn({ setting }, `${setting} has changed in the configuration: that takes a restart`);
        }
      },
      (error: unknown) =>
        logger.error({ err: error }, 'the configuration cannot be used: the next start would fail'),
    );
  });
}

/** On SIGHUP, reads certificates, keys and authorities again, for both ports. If one is invalid, the old ones stay in use. */
function renewOnHangUp({ renew }: Pick<Agent, 'renew'>, tls: TlsConfig | null, { logger }: LogHub): void {
  process.on('SIGHUP', () => {
    if (tls === null) return;
    readTlsMaterial(tls, secretFiles, Date.now()).then(
      (material) => {
        renew(material);
        logger.info({ file: tls.certFile, http: tls.http, rpc: tls.rpc }, 'certificate read again');
      },
      (error: unknown) => logger.error({ err: error }, 'certificate not changed'),
    );
  });
}
