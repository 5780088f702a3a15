import { SecretsError } from '../base/errors.js';
import { createWriteHealth, type WriteHealth, type WriteHealthOptions } from './write-health.js';
import type { RootStorage } from './storage.js';

/** Path of the probe entry. */
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
        // An invalid path or value is not a failure of the disk. Some stores also report their own reason.
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

/** Whether an error means that the store works but has refused this write. */
function isRefusal(error: unknown): error is SecretsError {
  return error instanceof SecretsError && (error.code === 'standby' || error.code === 'body-too-large');
}

/** Ignores the error of a standby, which does not need to write. */
function passStandby(error: unknown): void {
  if (!(error instanceof SecretsError && error.code === 'standby')) throw error;
}
