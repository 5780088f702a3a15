import type { SettingTree, ValuesOf } from '@tamis/config';
import type { Clock, StampClock } from '@tamis/scheduler-model/base/clock.js';
import type { ElectedLeadership } from '../cluster/elected-leadership.js';
import type { ElectionOptions } from '../cluster/election-context.js';
import type { RegisteredServer } from '../cluster/server-list.js';
import type { Storage } from '../storage/storage.js';

/** The shared side of a store: the log that servers follow, and the election of their leader. */
export interface SharedStore {
  /** Name of the store, such as `etcd`. */
  readonly name: string;
  /** Version of its row format. Servers with different versions must not share it. */
  readonly format: number;
  readonly log: { refresh(): Promise<void> };
  /** The clock of the stamps in the log. */
  readonly stamps: StampClock;
  /** Returns the registered servers. @throws StorageError or an error of the driver */
  registered(): Promise<readonly RegisteredServer[]>;
  join(options: ElectionOptions): ElectedLeadership;
}

/** An open store. */
export interface OpenStore {
  readonly storage: Storage;
  /** Null for a single server. */
  readonly shared: SharedStore | null;
  /** Whether no other process can have taken over the store, see `StoreLock`. Always true for a shared store. */
  readonly isOwn: () => boolean;
}

/** Agent settings that several drivers use. */
export interface StorePlace {
  readonly region: string;
  readonly dataDir: string | null;
}

/** The dependencies of a driver for opening a store, in addition to its own settings. */
export interface StoreContext extends StorePlace {
  readonly clock: Pick<Clock, 'now'>;
}

/** An invalid combination of valid settings: the path of the setting to report, and the problem. */
export type StoreMistake = readonly [path: string, problem: string];

/** Definition of a storage driver; `S` is the type of its settings. */
export interface StorageDriverDefinition<S extends SettingTree> {
  readonly name: string;
  /** Whether its contents survive the process. */
  readonly isPersistent: boolean;
  /** Whether other servers can share it; default: false. */
  readonly isShared?: boolean;
  /** Settings of its block `storage "name" { ... }`; their paths start with `storage.` and the name. */
  readonly settings: S;
  /** Whether this driver is the default if there is no block; default: false. */
  readonly isMeant?: (place: StorePlace) => boolean;
  /** Returns the invalid combinations of settings in its block. @param has whether the setting at a path is given */
  readonly mistakes?: (values: ValuesOf<S>, has: (path: string) => boolean) => readonly StoreMistake[];
  /** Opens the store. @throws StorageError, or another error that explains the fix to the operator */
  readonly open: (values: ValuesOf<S>, context: StoreContext) => Promise<OpenStore>;
}

/** A storage driver, selected by its block or by other agent settings. */
export interface StorageDriver extends Required<
  Omit<StorageDriverDefinition<SettingTree>, 'mistakes' | 'open'>
> {
  readonly mistakes: (values: unknown, has: (path: string) => boolean) => readonly StoreMistake[];
  readonly open: (values: unknown, context: StoreContext) => Promise<OpenStore>;
}

/** The configured store. */
export interface StorageConfig {
  readonly driver: StorageDriver;
  /** Values of the driver's settings, in the form of their tree. */
  readonly values: unknown;
}

/** Creates a driver from its definition. To use it in the agent, add it to the list of drivers. */
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
