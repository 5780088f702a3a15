import { block, converted, type Block, type Fields, type Reader } from '@tamis/config';
import type { Clock } from '../clock.js';
import type { Logger } from '../logger.js';
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

/** A store that is open. One that several servers share has the election of the active one beside it. */
export interface OpenStore {
  /** Closing it gives back whatever the driver has opened. */
  readonly storage: RootStorage;
}

/** The store that a block `storage "name" { ... }` asks for. */
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
  place(settings: Block<F>): string | null;
  open(settings: Block<F>, context: DriverContext): Promise<OpenStore>;
}

/** Makes a driver, and `config`, which asks for a store without a file. */
export function defineStorageDriver<F extends Fields>(
  definition: StorageDriverDefinition<F>,
): StorageDriver & { config(settings: Block<F>): StorageConfig } {
  const { name, aliases, fields } = definition;
  const config = (settings: Block<F>): StorageConfig => ({
    driver: name,
    settings,
    place: definition.place(settings),
    open: (context) => definition.open(settings, context),
  });
  return { name, aliases, config, block: converted(block(fields), config) };
}
