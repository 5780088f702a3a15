import { foldName } from '../../base/fold.js';
import { createJsonCollection } from '../../storage/json-collection.js';
import type { Storage } from '../../storage/storage.js';
import type { CloudConfig } from './config.js';
import type { Role } from './role.js';

/** A repository of the entries of one mount: its configuration, and its roles by case-insensitive name. */
export interface Repository {
  config(): Promise<CloudConfig | null>;
  saveConfig(config: CloudConfig | null): Promise<void>;
  role(name: string): Promise<Role | null>;
  saveRole(name: string, role: Role | null): Promise<void>;
  /** Returns the sorted names of all roles. */
  roleNames(): Promise<readonly string[]>;
}

/** @param storage the storage of this mount only. */
export function createRepository(storage: Storage): Repository {
  const singletons = createJsonCollection<CloudConfig>(storage, '');
  const roles = createJsonCollection<Role>(storage, 'role/');
  return {
    config: () => singletons.get('config'),
    saveConfig: (config) =>
      config === null ? singletons.remove('config') : singletons.put('config', config),
    role: (name) => roles.get(foldName(name)),
    saveRole: (name, role) =>
      role === null ? roles.remove(foldName(name)) : roles.put(foldName(name), role),
    roleNames: () => roles.names(),
  };
}
