import type { TlsMaterial } from './settings/agent-config.js';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';
import type { Site } from '../api/kernel/site.js';
import type { LogHub } from '../services/logs/log-hub.js';
import type { ProfilesDependencies } from '../services/profiles/profiles.js';
import type { SharedStore } from '@tamis/scheduler-state/drivers/driver.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';

/** External dependencies of an agent. */
export interface AgentDependencies extends Pick<ProfilesDependencies, 'clock' | 'commandLine' | 'report'> {
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly storage: Storage;
  /** The store that servers share and use to elect their leader; omitted if there is only this server. */
  readonly shared?: SharedStore | null;
  /** Called with errors that must end this process; optional. */
  readonly fatal?: (error: Error) => void;
  readonly logs: LogHub;
  readonly machine: Machine;
  /** The lines of an import file, and the share of the file read so far, from 0 to 1; null if unknown. */
  readonly readLines: (file: string) => {
    readonly lines: AsyncIterable<string>;
    readonly done: () => number | null;
  };
  /** Releases memory that is no longer needed; optional. */
  readonly collectGarbage?: () => Promise<void>;
  /** Contents of the configured certificate files; omitted without TLS. */
  readonly tls?: TlsMaterial | null;
  /** The console; omitted if it was not built. */
  readonly site?: Site | null;
  /** Folder of the built documentation; omitted if there is none. */
  readonly docsFolder?: string;
}
