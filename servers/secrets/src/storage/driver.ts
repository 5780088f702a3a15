import { block, converted, type Block, type Fields, type Reader } from '@tamis/config';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { RootStorage } from './storage.js';

/** Dependencies of a driver for opening its store. */
export interface DriverContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (length: number) => Buffer;
  readonly uuid: () => string;
  readonly readText: (file: string) => Promise<string>;
  /** Like `readText`, for a file that must not be readable by other users. */
  readonly readSecret: (file: string) => Promise<string>;
}

/** An open store. A shared store also has the election of the active server. */
export interface OpenStore {
  /** The store itself. Closing it releases all resources of the driver. */
  readonly storage: RootStorage;
  /** Null if the store is not shared. */
  readonly election: StoreElection | null;
}

/** The active server, according to this server. */
export type ActiveServer =
  /** This server. `leaderTerm` changes each time it becomes active or its data is replaced. */
  | { readonly location: 'here'; readonly leaderTerm: number; readonly since: number }
  | { readonly location: 'there'; readonly address: string; readonly api: string }
  | { readonly location: 'nobody' };

/**
 * The election of the server that may write a shared store and respond from it. Each write is guarded by the term of its server,
 * so that a server that was replaced cannot write.
 */
export interface StoreElection {
  /** Campaigns until `withdraw` is called. */
  stand(): void;
  /** Stops campaigning. If this server is active, it yields. */
  withdraw(): Promise<void>;
  /** Returns the active server. Checks the clock at every call, to detect that the lease expired during a suspension. */
  current(): ActiveServer;
  /** Calls `listener` when the active server may have changed. */
  subscribe(listener: () => void): () => void;
  /** Calls `listener` if another server has changed the entry at this path, or all entries. */
  watch(path: string, listener: () => void): () => void;
  /**
   * Whether this server has been active since `leaderTerm` began. Performs a linearizable read, so no other server has
   * acknowledged a write before it.
   *
   * @param leaderTerm term in which a response was created.
   */
  confirm(leaderTerm: number): Promise<boolean>;
  /**
   * Performs a linearizable read: writes acknowledged before the call can be read afterwards.
   *
   * @throws SecretsError if they cannot be queried
   */
  refresh(): Promise<void>;
  /** Whether a standby handles self-lookups of batch tokens itself. */
  readonly isPerformanceStandby: boolean;
  /** Returns warnings about the store for the operator, shown in the health of the server. */
  warnings(): readonly string[];
  /** Addresses and certificates for other servers. */
  readonly peer: PeerConfig;
}

/** Addresses and certificates of a server that shares its store. */
export interface PeerConfig {
  /** Host and port at which others reach this server. */
  readonly address: string;
  /** URL of its API, for `sys/leader`; empty if not configured. */
  readonly api: string;
  /** Address on which this server listens for the others. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Null only on loopback: tokens are sent to other machines only with mutual TLS. */
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly caFile: string } | null;
}

/** The store configured by a block `storage "name" { ... }`. */
export interface StorageConfig {
  /** The name of the driver, such as `lmdb`. */
  readonly driver: string;
  /** The settings of the driver, by their names in the file. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Location of the store, for messages; null for a store in memory. */
  readonly place: string | null;
  /** @throws SecretsError for problems that an operator can fix, or an error of the file system */
  open(context: DriverContext): Promise<OpenStore>;
}

/** A type of store, chosen by a block `storage "name" { ... }`. */
export interface StorageDriver {
  readonly name: string;
  /** Names that other products use for this driver. */
  readonly aliases: readonly string[];
  /** Reads one block. */
  readonly block: Reader<StorageConfig>;
}

export interface StorageDriverDefinition<F extends Fields> extends Omit<StorageDriver, 'block'> {
  /** The settings that a block may have. */
  readonly fields: F;
  /** Returns why the block as a whole is invalid; null if it is valid. */
  check?(settings: Block<F>): string | null;
  place(settings: Block<F>): string | null;
  open(settings: Block<F>, context: DriverContext): Promise<OpenStore>;
}

/** Creates a driver. `config` configures a store without a file. */
export function defineStorageDriver<F extends Fields>(
  definition: StorageDriverDefinition<F>,
): StorageDriver & { config(settings: Block<F>): StorageConfig } {
  const { name, aliases, fields } = definition;
  const config = (settings: Block<F>): StorageConfig => ({
    driver: name,
    settings,
    // Evaluated lazily, because a block that is refused later may lack required settings.
    get place() {
      return definition.place(settings);
    },
    open: (context) => definition.open(settings, context),
  });
  const reader = converted(block(fields), (settings, refuse): StorageConfig => {
    const problem = definition.check?.(settings) ?? null;
    return problem === null ? config(settings) : refuse(problem);
  });
  return { name, aliases, config, block: reader };
}
