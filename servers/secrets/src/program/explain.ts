import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '@tamis/config';
import { explainMissingPackage } from '@tamis/http';
import { UsageError } from './arguments.js';
import { CommandError } from './commands.js';
import { SecretsError } from '../base/errors.js';

/** Returns a message for an error that the operator can fix; null for a bug. */
export function explain(error: unknown): string | null {
  if (error instanceof UsageError) return `${error.message}\nsecrets --help lists the options.`;
  if (error instanceof ConfigError) return `The configuration cannot be used:\n${error.message}`;
  if (error instanceof CommandError || error instanceof SecretsError) return error.message;
  const { code, path, address, port, message } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use, perhaps by another server: choose another in the listener block, or with --dev-listen-address.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine: choose another in the listener block.`;
    case 'ENOTFOUND':
      return `${(error as { hostname?: string }).hostname} is not known: write the address of the listener as a number.`;
    case 'EACCES':
      return path === undefined ? `May not listen on port ${port}.` : `May not use ${path}.`;
    case 'ENOENT':
      return path === undefined || existsSync(dirname(path))
        ? `There is no ${path}.`
        : `There is no ${path}, and no directory to make it in.`;
    case 'EISDIR':
      return `${path ?? 'What should be a file'} is a directory.`;
    default:
      return code?.startsWith('ERR_OSSL') === true
        ? `The certificate or its key cannot be used: ${message}`
        : explainMissingPackage(error);
  }
}
