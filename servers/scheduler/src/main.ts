import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import { createAgent } from './agent.js';
import type { AgentConfig } from './agent-config.js';
import { help, parseCommand, UsageError } from './arguments.js';
import { ImportError } from './cluster/import.js';
import type { Clock } from './clock.js';
import { createLogHub } from './logs/log-hub.js';
import { indexOf } from './state/snapshot.js';
import { tableShapes } from './state/tables.js';
import { openLmdbStorage } from './storage/lmdb.js';
import { createMemoryStorage } from './storage/memory.js';
import { systemProcesses } from './storage/owner.js';
import { StorageError } from './storage/storage-error.js';
import type { Storage } from './storage/storage.js';
import { welcome } from './welcome.js';

/** Milliseconds that requests under way get when the agent is told to stop. */
const graceDelay = 10_000;

const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
  soon: (action) => void setImmediate(action),
};

async function* readLines(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
}

/** @throws StorageError when the data directory cannot be used. */
function openStorage({ dataDir }: AgentConfig): Storage {
  if (dataDir === null) return createMemoryStorage();
  const processes = systemProcesses(process.pid, (pid, signal) => process.kill(pid, signal));
  return openLmdbStorage({ dir: dataDir, shapes: tableShapes, processes });
}

async function runAgent(config: AgentConfig): Promise<void> {
  const standardError = pino.destination(2);
  const logs = createLogHub({ level: config.logLevel, write: (line) => void standardError.write(line) });
  const agent = await createAgent(config, {
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    storage: openStorage(config),
    logs,
    commandLine: process.argv,
    report: () => process.report.getReport(),
    readLines,
  });
  const address = await agent.listen();
  closeWithGrace({ delay: graceDelay, logger: logs.logger }, () => agent.close());
  process.stdout.write(welcome(address, indexOf(agent.state.snapshot(), ['jobs', 'job_summaries'])));
}

/** A message for what the user can set right, null for what is our own fault. */
function explain(error: unknown): string | null {
  if (error instanceof ImportError) return `Nothing was imported. ${error.message}`;
  if (error instanceof StorageError) return `${error.message}.`;
  if (error instanceof UsageError) return `${error.message}\nscheduler --help shows how it goes.`;
  const { code, path, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use, perhaps by another agent: choose one with --port, or 0 for any.`;
    case 'EACCES':
      return port === undefined
        ? `May not read ${path}.`
        : `May not listen on port ${port}: choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine: choose one with --bind, such as 127.0.0.1.`;
    case 'ENOTFOUND':
      return `The address to listen on is not known: choose one with --bind, such as 127.0.0.1.`;
    case 'ENOENT':
      return `There is no file ${path}.`;
    case 'EISDIR':
      return 'The file to import is a directory.';
    default:
      return null;
  }
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2));
  switch (command.kind) {
    case 'help':
      process.stdout.write(help);
      return;
    case 'version':
      process.stdout.write(`${manifest.version}\n`);
      return;
    case 'agent':
      await runAgent(command.config);
  }
}

main().catch((error: unknown) => {
  const message = explain(error);
  process.stderr.write(
    message === null ? `${error instanceof Error ? error.stack : String(error)}\n` : `${message}\n`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
