import type { SettingTree, ValuesOf } from '@tamis/config';
import type { Clock, StampClock } from '@tamis/scheduler-model/base/clock.js';
import type { ElectedLeadership } from '../cluster/elected-leadership.js';
import type { ElectionOptions } from '../cluster/election-context.js';
import type { RegisteredServer } from '../cluster/server-list.js';
import type { Storage } from '../storage/storage.js';

/** The side of a store by which several servers share it: the log as they follow it, and the election of their leader. */
export interface SharedStore {
  /** What operators call it, such as `etcd`. */
  readonly name: string;
  /** The number of the form of its rows: servers that write others must not share it. */
  readonly format: number;
  readonly log: { refresh(): Promise<void> };
  /** The clock of the stamps in the log. */
  readonly stamps: StampClock;
  /** The servers that have registered, as they tell of themselves. @throws StorageError or one of the driver's own */
  registered(): Promise<readonly RegisteredServer[]>;
  join(options: ElectionOptions): ElectedLeadership;
}

/** A store that is open. */
export interface OpenStore {
  readonly storage: Storage;
  /** Null where this server is alone. */
  readonly shared: SharedStore | null;
  /** Whether no other process can have it by now, see `StoreLock`; of one that is shared always. */
  readonly isOwn: () => boolean;
}

/** The settings of an agent that more than one driver may go by. */
export interface StorePlace {
  readonly region: string;
  readonly dataDir: string | null;
}

/** What a driver opens a store with, beside the settings of its own. */
export interface StoreContext extends StorePlace {
  readonly clock: Pick<Clock, 'now'>;
}

/** A mistake in settings that are right by themselves: the path of the one it is told of, and what is wrong. */
export type StoreMistake = readonly [path: string, problem: string];

/** A driver with settings of this form. */
export interface StorageDriverDefinition<S extends SettingTree> {
  readonly name: string;
  /** Whether what it holds outlives the process. */
  readonly isPersistent: boolean;
  /** Whether other servers may have it too; not, where nothing is said. */
  readonly isShared?: boolean;
  /** The settings in its block `storage "name" { ... }`, whose paths begin with `storage.` and the name. */
  readonly settings: S;
  /** Whether it is meant where no block says anything; never, where nothing is said. */
  readonly isMeant?: (place: StorePlace) => boolean;
  /** Mistakes in its block. @param has whether the setting at a path has been given */
  readonly mistakes?: (values: ValuesOf<S>, has: (path: string) => boolean) => readonly StoreMistake[];
  /** @throws StorageError, or another error that tells the operator what to set right */
  readonly open: (values: ValuesOf<S>, context: StoreContext) => Promise<OpenStore>;
}

/** Where the state is kept: in what a block names, or where other settings of the agent say. */
export interface StorageDriver extends Required<
  Omit<StorageDriverDefinition<SettingTree>, 'mistakes' | 'open'>
> {
  readonly mistakes: (values: unknown, has: (path: string) => boolean) => readonly StoreMistake[];
  readonly open: (values: unknown, context: StoreContext) => Promise<OpenStore>;
}

/** The store that a configuration asks for. */
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
    // What comes in was made of the driver's own settings.
    mistakes: (values, has) => mistakes(values as ValuesOf<S>, has),
    open: (values, context) => open(values as ValuesOf<S>, context),
  };
}
