import { foldName } from '../../base/fold.js';
import { createJsonCollection } from '../../storage/json-collection.js';
import type { Storage } from '../../storage/storage.js';
import type { CloudConfig } from './config.js';
import type { Role } from './role.js';

/** A repository of the entries of one mount: its configuration, and its roles by case-insensitive name. */
export type Repository = ReturnType<typeof createRepository>;

/** @param storage the storage of this mount only. */
export function createRepository(storage: Storage) {
  const singletons = createJsonCollection<CloudConfig>(storage, '');
  const roles = createJsonCollection<Role>(storage, 'role/');
  return {
    config: (): Promise<CloudConfig | null> => singletons.get('config'),
    saveConfig: (config: CloudConfig | null): Promise<void> =>
      config === null ? singletons.remove('config') : singletons.put('config', config),
    role: (name: string): Promise<Role | null> => roles.get(foldName(name)),
    saveRole: (name: string, role: Role | null): Promise<void> =>
      role === null ? roles.remove(foldName(name)) : roles.put(foldName(name), role),
    /** Returns the sorted names of all roles. */
    roleNames: (): Promise<readonly string[]> => roles.names(),
  };
}
