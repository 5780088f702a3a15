import { block, converted, type Block, type Fields, type Reader } from '@tamis/config';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { RootStorage } from './storage.js';

/** The surroundings that a driver opens its store in. */
export interface DriverContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (length: number) => Buffer;
  readonly uuid: () => string;
  readonly readText: (file: string) => Promise<string>;
  /** As `readText`, of a file that must not be open to everybody. */
  readonly readSecret: (file: string) => Promise<string>;
}

/** A store that is open. One that several servers share comes with the election of the active one. */
export interface OpenStore {
  /** Closing it gives back whatever the driver has opened. */
  readonly storage: RootStorage;
  /** Null for a store that one server has for itself. */
  readonly election: StoreElection | null;
}

/** The server that is active, as far as another one knows. */
export type ActiveServer =
  /** This one. Each time that it becomes it, or what it holds was replaced, has another `office`. */
  | { readonly location: 'here'; readonly leaderTerm: number; readonly since: number }
  | { readonly location: 'there'; readonly address: string; readonly api: string }
  | { readonly location: 'nobody' };

/**
 * The election of the one server that may write a shared store, and respond from it. Each write is guarded by the election that
 * its server has won: a deposed server writes nothing, whatever it believes.
 */
export interface StoreElection {
  /** Campaigns, until `withdraw`. */
  stand(): void;
  /** Stops campaigning, and yields if this server is active. */
  withdraw(): Promise<void>;
  /** Looked at by the clock at every call: one that was frozen finds out. */
  current(): ActiveServer;
  /** Calls `listener` when another server may be active, or none. */
  subscribe(listener: () => void): () => void;
  /** Calls `listener` if another server has changed an entry whose path it watches, or all of them. */
  watch(path: string, listener: () => void): () => void;
  /**
   * Whether this server has been active without a pause until now: a read that the members of the store agree on, so that no
   * other server has acknowledged a write before it.
   *
   * @param leaderTerm in which a response was made.
   */
  confirm(leaderTerm: number): Promise<boolean>;
  /**
   * Reads on what the members of the store agree: what was acknowledged before the call can be read from then on.
   *
   * @throws SecretsError if they cannot be queried
   */
  refresh(): Promise<void>;
  /** Whether a standby handles self-lookups of batch tokens itself. */
  readonly isPerformanceStandby: boolean;
  /** What an operator has to know about the store, for the health of the server. */
  warnings(): readonly string[];
  /** Where the others reach this server, and how. */
  readonly peer: PeerConfig;
}

/** How servers that share a store reach each other. */
export interface PeerConfig {
  /** Host and port that others reach this server at. */
  readonly address: string;
  /** The URL of its API, for `sys/leader`; empty where it was not configured. */
  readonly api: string;
  /** What this server listens on for the others. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Null on loopback alone: no token goes to another machine without TLS on both sides. */
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly caFile: string } | null;
}

/** The store that a block `storage "name" { ... }` configures. */
export interface StorageConfig {
  /** The name of the driver, such as `lmdb`. */
  readonly driver: string;
  /** The settings of the driver, by their names in the file. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where it is kept, for messages; null where it ends with the process. */
  readonly place: string | null;
  /** @throws SecretsError for what an operator can set right, or an error of the file system */
  open(context: DriverContext): Promise<OpenStore>;
}

/** A kind of stores: what blocks `storage "name" { ... }` choose. */
export interface StorageDriver {
  readonly name: string;
  /** Names that other servers have for it. */
  readonly aliases: readonly string[];
  /** Reads one block. */
  readonly block: Reader<StorageConfig>;
}

export interface StorageDriverDefinition<F extends Fields> extends Omit<StorageDriver, 'block'> {
  /** The settings that a block may have. */
  readonly fields: F;
  /** Why a block cannot be as a whole; null where it can. */
  check?(settings: Block<F>): string | null;
  place(settings: Block<F>): string | null;
  open(settings: Block<F>, context: DriverContext): Promise<OpenStore>;
}

/** Creates a driver, and `config`, which configures a store without a file. */
export function defineStorageDriver<F extends Fields>(
  definition: StorageDriverDefinition<F>,
): StorageDriver & { config(settings: Block<F>): StorageConfig } {
  const { name, aliases, fields } = definition;
  const config = (settings: Block<F>): StorageConfig => ({
    driver: name,
    settings,
    // A block with mistakes, which is refused in the end, may lack what it takes.
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
