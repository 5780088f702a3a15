import { foldName } from '../../fold.js';
import { getJson, putJson, removeEntry } from '../../storage/json-entry.js';
import type { Storage } from '../../storage/storage.js';
import type { CloudConfig } from './config.js';
import type { Role } from './role.js';

/** A repository of the entries of one mount: its configuration and its roles. */
export interface Repository {
  config(): Promise<CloudConfig | null>;
  saveConfig(config: CloudConfig | null): Promise<void>;
  role(name: string): Promise<Role | null>;
  saveRole(name: string, role: Role | null): Promise<void>;
  /** Sorted by name. */
  roleNames(): Promise<readonly string[]>;
}

/** Keeps them as JSON below a prefix of the storage, where nobody else writes. */
export function createRepository(storage: Storage, prefix: string): Repository {
  const configPath = `${prefix}config`;
  const roles = `${prefix}role/`;
  const rolePath = (name: string): string => roles + foldName(name);
  const save = (path: string, value: unknown): Promise<void> =>
    storage.write([value === null ? removeEntry(path) : putJson(path, value)]);

  return {
    config: () => getJson<CloudConfig>(storage, configPath),
    saveConfig: (config) => save(configPath, config),
    role: (name) => getJson<Role>(storage, rolePath(name)),
    saveRole: (name, role) => save(rolePath(name), role),
    roleNames: async () => (await storage.list(roles)).map((path) => path.slice(roles.length)),
  };
}
