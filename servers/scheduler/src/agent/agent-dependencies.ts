import type { TlsMaterial } from './settings/agent-config.js';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';
import type { Site } from '../api/kernel/site.js';
import type { LogHub } from '../services/logs/log-hub.js';
import type { ProfilesDependencies } from '../services/profiles/profiles.js';
import type { SharedStore } from '@tamis/scheduler-state/drivers/driver.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';

/** The dependencies of an agent on the world. */
export interface AgentDependencies extends Pick<ProfilesDependencies, 'clock' | 'commandLine' | 'report'> {
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly storage: Storage;
  /** The store that servers share, in which they elect their leader; left out where this server is alone. */
  readonly shared?: SharedStore | null;
  /** Told of what this process must end for; left out where nobody needs to be told. */
  readonly fatal?: (error: Error) => void;
  readonly logs: LogHub;
  readonly machine: Machine;
  /** The lines of a file, for imports, and the part of it that they are, from 0 to 1; null where nobody knows. */
  readonly readLines: (file: string) => {
    readonly lines: AsyncIterable<string>;
    readonly done: () => number | null;
  };
  /** Gives back the memory of what was needed once; left out where that does not matter. */
  readonly collectGarbage?: () => Promise<void>;
  /** Contents of the files that the configuration names; left out without TLS. */
  readonly tls?: TlsMaterial | null;
  /** The console; left out where it was not built. */
  readonly site?: Site | null;
}
