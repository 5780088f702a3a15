import { SecretsError } from '../base/errors.js';
import { createWriteHealth, type WriteHealth, type WriteHealthOptions } from './write-health.js';
import type { RootStorage } from './storage.js';

/** Where a probe is written. */
const probePath = 'core/probe';

/** Storage wrapper that turns failures into error responses and tracks health. */
export function watchStorage(
  storage: RootStorage,
  options: Pick<WriteHealthOptions, 'clock' | 'logger'>,
): { readonly storage: RootStorage; readonly health: WriteHealth } {
  const health = createWriteHealth({
    ...options,
    name: 'the store',
    space: () => storage.space(),
    probe: () => storage.write([{ path: probePath, value: Buffer.of(1) }]).catch(passStandby),
  });
  const watched: RootStorage = {
    ...storage,
    async write(changes, leaderTerm) {
      let refusal: SecretsError | null = null;
      try {
        await health.run(async () => {
          try {
            await storage.write(changes, leaderTerm);
          } catch (error) {
            if (!isRefusal(error)) throw error;
            refusal = error;
          }
        });
        if (refusal !== null) throw refusal;
      } catch (error) {
        // A path or value that no store could keep is nothing that the disk has done; some stores know the reason.
        if (error instanceof RangeError || error instanceof SecretsError) throw error;
        throw new SecretsError(
          'storage-failed',
          'the store cannot be written, nothing has changed: is the disk full?',
          error instanceof Error ? error.message : String(error),
        );
      }
    },
  };
  return { storage: watched, health };
}

/** Whether a store is as well as ever, and has refused this write alone. */
function isRefusal(error: unknown): error is SecretsError {
  return error instanceof SecretsError && (error.code === 'standby' || error.code === 'body-too-large');
}

/** A standby writes nothing, and need not be able to. */
function passStandby(error: unknown): void {
  if (!(error instanceof SecretsError && error.code === 'standby')) throw error;
}
