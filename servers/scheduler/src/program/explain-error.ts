import { ConfigError } from '@tamis/config';
import { EtcdError } from '@tamis/etcd/settings';
import { explainMissingPackage, StoreLockError } from '@tamis/http';
import { ImportError } from '@tamis/scheduler-state/cluster/import.js';
import { DisagreementError } from '@tamis/scheduler-state/cluster/shared-settings.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { commandTable } from './local/command-table.js';
import { exitCodes } from '@tamis/scheduler-command/exit-codes.js';
import { UsageError } from '@tamis/scheduler-command/usage-error.js';
import { TlsError } from '../agent/settings/tls-material.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** Returns a message for errors that the user can fix; null for internal ones. */
export function explain(error: unknown): string | null {
  if (error instanceof ImportError) return `Nothing was imported. ${error.message}`;
  if (error instanceof StorageError || error instanceof CommandError) return `${error.message}.`;
  if (error instanceof DisagreementError) return `${error.message}.`;
  if (error instanceof EtcdError || error instanceof StoreLockError) return `${error.message}.`;
  if (error instanceof ConfigError || error instanceof TlsError) return error.message;
  if (error instanceof UsageError) {
    const command = error.command === null ? '' : ` ${error.command}`;
    return `${error.message}\nscheduler${command} --help lists the options.`;
  }
  const { code, path, address, port, syscall, message } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (syscall === 'write') return `The output cannot be written: ${message}.`;
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
      return explainMissingPackage(error);
  }
}

/**
 * Returns the exit code of a usage error: 2 for local commands, as for shell builtins. All others, known or not, have that of
 * commands that call an agent.
 */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) {
    const { command } = error;
    const isLocal = commandTable.some(({ kind, path }) => kind === 'local' && path === command);
    return isLocal ? 2 : exitCodes.usage;
  }
  return error instanceof ConfigError && error.mistakes.some(({ at }) => at.source.startsWith('--')) ? 2 : 1;
}
