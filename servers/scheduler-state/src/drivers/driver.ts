import type { SettingTree, ValuesOf } from '@tamis/config';
import type { Clock, StampClock } from '@tamis/scheduler-model/base/clock.js';
import type { ElectedLeadership } from '../cluster/elected-leadership.js';
import type { ElectionOptions } from '../cluster/election-context.js';
import type { RegisteredServer } from '../cluster/server-list.js';
import type { Storage } from '../storage/storage.js';

/** The side of a store by which several servers share it: the log as they follow it, and the election of their leader. */
export interface SharedStore {
  /** Its name, such as `etcd`. */
  readonly name: string;
  /** The number of the form of its rows: servers that write others must not share it. */
  readonly format: number;
  readonly log: { refresh(): Promise<void> };
  /** The clock of the stamps in the log. */
  readonly stamps: StampClock;
  /** The registered servers, as they describe themselves. @throws StorageError or an error of the driver */
  registered(): Promise<readonly RegisteredServer[]>;
  join(options: ElectionOptions): ElectedLeadership;
}

/** A store that is open. */
export interface OpenStore {
  readonly storage: Storage;
  /** Null if there is only this server. */
  readonly shared: SharedStore | null;
  /** Whether no other process can have it by now, see `StoreLock`; of one that is shared always. */
  readonly isOwn: () => boolean;
}

/** The settings of an agent that more than one driver may go by. */
export interface StorePlace {
  readonly region: string;
  readonly dataDir: string | null;
}

/** What a driver needs to open a store, in addition to its own settings. */
export interface StoreContext extends StorePlace {
  readonly clock: Pick<Clock, 'now'>;
}

/** An error in a combination of valid settings: the path of the setting to report, and the problem. */
export type StoreMistake = readonly [path: string, problem: string];

/** A driver with settings of this form. */
export interface StorageDriverDefinition<S extends SettingTree> {
  readonly name: string;
  /** Whether its contents outlive the process. */
  readonly isPersistent: boolean;
  /** Whether other servers can share it; default: no. */
  readonly isShared?: boolean;
  /** The settings in its block `storage "name" { ... }`, whose paths begin with `storage.` and the name. */
  readonly settings: S;
  /** Whether it is the driver used without a block; default: no. */
  readonly isMeant?: (place: StorePlace) => boolean;
  /** Mistakes in its block. @param has whether the setting at a path has been given */
  readonly mistakes?: (values: ValuesOf<S>, has: (path: string) => boolean) => readonly StoreMistake[];
  /** @throws StorageError, or a different error that explains to the operator what to fix */
  readonly open: (values: ValuesOf<S>, context: StoreContext) => Promise<OpenStore>;
}

/** Where the state is stored: as its block or other settings of the agent define. */
export interface StorageDriver extends Required<
  Omit<StorageDriverDefinition<SettingTree>, 'mistakes' | 'open'>
> {
  readonly mistakes: (values: unknown, has: (path: string) => boolean) => readonly StoreMistake[];
  readonly open: (values: unknown, context: StoreContext) => Promise<OpenStore>;
}

/** Returns the configured store. */
export interface StorageConfig {
  readonly driver: StorageDriver;
  /** Those of the driver's settings, in the form of their tree. */
  readonly values: unknown;
}

/** Makes a driver of its definition. Its entry in the list of drivers is all that the agent needs to know of it. */
export function defineStorageDriver<S extends SettingTree>({
  isShared = false,
  isMeant = () => false,
  mistakes = () => [],
  open,
  ...rest
}: StorageDriverDefinition<S>): StorageDriver {
  return {
    ...{ ...rest, isShared, isMeant },
    // The input was created from the driver's own settings.
    mistakes: (values, has) => mistakes(values as ValuesOf<S>, has),
    open: (values, context) => open(values as ValuesOf<S>, context),
  };
}
