import type { AgentConfig } from '../agent/settings/agent-config.js';
import { importStore, type Imported } from './local/import-store.js';
import type { LogHub } from '../services/logs/log-hub.js';
import { countItems } from '@tamis/scheduler-state/progress/count-items.js';
import { createImportLog } from '@tamis/scheduler-state/progress/progress-log.js';
import type { OpenStore } from '@tamis/scheduler-state/drivers/driver.js';
import { lmdbDriver } from '@tamis/scheduler-state/drivers/lmdb.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { systemClock } from '@tamis/http';
import { linesOfFile, requireFile } from './read-lines.js';

/** A store with the agent's initial contents, as far as they are written before it starts. */
export interface FilledStore extends OpenStore {
  /** The remaining contents, written later by the leader. */
  readonly fill: AgentConfig['fill'];
}

/**
 * Opens the store of an agent. An unshared store is filled batch by batch before the agent starts: reading it back takes half the
 * memory of writing it as a whole. Clients see no partial state, because the agent does not listen yet.
 *
 * @throws CommandError if a file cannot be read, ImportError, StorageError; then nothing is stored.
 */
export async function openFilledStore(config: AgentConfig, logs: LogHub): Promise<FilledStore> {
  const { dataDir, fill, storage } = config;
  const { driver, values } = storage;
  const open = (): Promise<OpenStore> => driver.open(values, { ...config, clock: systemClock });
  if (fill.kind !== 'import') return { ...(await open()), fill };
  const { file } = fill;
  requireFile(file);
  if (driver === lmdbDriver && dataDir !== null) {
    // Loaded on demand, because its library is native and most agents do not import.
    const { fillDataDirectory } = await import('@tamis/scheduler-state/drivers/data-directory.js');
    logImport(file, await fillDataDirectory(dataDir, (store) => importFile(store, file, logs)), logs);
  } else if (driver.isPersistent) {
    return { ...(await open()), fill };
  }
  const store = await open();
  if (!driver.isPersistent) logImport(file, await importFile(store.storage, file, logs), logs);
  return { ...store, fill: { kind: 'nothing' } };
}

function importFile(storage: Storage, file: string, logs: LogHub): Promise<Imported> {
  const { lines, done } = linesOfFile(file);
  const listener = createImportLog(file, { now: systemClock.now, log: logs.part('import'), done });
  return importStore({ storage, lines: countItems(lines, listener), file });
}

/** @param imported null if the store was not empty. */
function logImport(file: string, imported: Imported | null, logs: LogHub): void {
  const log = logs.part('import');
  if (imported === null) log.info({ file }, 'not imported: there is a cluster already');
  else log.info({ file, ...imported.counts }, 'imported');
}
