import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { KeyOperations, Operator } from '../routes/operator-routes.js';
import type { OpenSeal } from '../seal/seal.js';
import { backupPieces } from '../storage/backup.js';
import type { RootStorage } from '../storage/storage.js';

export interface OperatorOptions {
  /** Null if there is no audit log. */
  readonly auditFile: string | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** The encrypted storage. */
  readonly storage: Pick<RootStorage, 'entries'>;
  readonly uuid: () => string;
  readonly metrics: Metrics;
  readonly seal: OpenSeal;
  /** Closes the seal. */
  readonly close: () => void;
  readonly stepDown: () => Promise<void>;
}

/** Creates the operations that an operator can perform while the seal is open. Each step is logged. */
export function createOperator(options: OperatorOptions): Operator {
  const { auditFile, clock, logger, storage, uuid, metrics, seal, close, stepDown } = options;
  const { keyring } = seal;
  let nonce = uuid();
  const keys: KeyOperations = {
    ...seal,
    status: () => keyring.status(),
    async rotate() {
      await keyring.rotate();
      logger.warn({ term: keyring.status().term }, 'the key of what is written was rotated');
    },
    rekeyNonce: () => nonce,
    isRekeying: () => seal.hasNextKey(),
    async makeNextKey() {
      const key = await seal.makeNextKey();
      logger.warn({}, 'a next unseal key was made: it waits to be confirmed');
      return key;
    },
    async confirmNextKey(key) {
      await seal.confirmNextKey(key);
      nonce = uuid();
      logger.warn({}, 'the next unseal key was confirmed: the one before opens nothing any more');
    },
    async dropNextKey() {
      await seal.dropNextKey();
      nonce = uuid();
    },
  };
  return {
    keys,
    auditFile,
    seal() {
      close();
      logger.warn({}, 'the server was sealed by a request');
    },
    async stepDown() {
      await stepDown();
      logger.warn({}, 'the server has stepped down by a request');
    },
    backup: () => backupPieces(storage.entries(), clock.now()),
    metrics: async () => ({ type: metrics.contentType, text: await metrics.text() }),
  };
}
