import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@tamis/etcd';
import { createFakeClock } from '../../../etcd/test/support/fake-clock.js';
import { createModelEtcd, type ModelEtcd } from '../../../etcd/test/support/model-etcd.js';
import { createModelStore } from '../../../etcd/test/support/model-store.js';
import type { OpenStore } from '../../src/storage/driver.js';
import { shareStore } from '../../src/storage/shared-store.js';
import { createFakeClock as createWallClock } from './fake-clock.js';
import { createMemoryLogger } from './secrets-server.js';

export interface Modelled {
  readonly etcd: ModelEtcd;
  readonly clock: ReturnType<typeof createFakeClock>;
}

export function createModelled(): Modelled {
  const clock = createFakeClock();
  return { etcd: createModelEtcd(createModelStore(), clock), clock };
}

/** A store of a server on a model of etcd. */
export function openModelled({ etcd, clock }: Modelled, at = 1, own: Clock = clock): Promise<OpenStore> {
  const address = `127.0.0.1:${at}`;
  return shareStore({
    place: {
      connection: { endpoints: [] },
      prefix: '/secrets/',
      leaseTtl: 5,
      isPerformanceStandby: false,
      peer: { address, api: '', listen: { host: '127.0.0.1', port: at }, tls: null },
    },
    context: {
      clock: createWallClock(),
      logger: createMemoryLogger(),
      randomBytes,
      uuid: randomUUID,
      readText: async () => '',
      readSecret: async () => '',
    },
    transport: { call: etcd.call, stream: etcd.stream, close: () => undefined },
    clock: own,
  });
}

/** Campaigns, and resolves when the store may be written. */
export async function becomeActive({ election }: OpenStore): Promise<void> {
  election!.stand();
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (election!.current().location !== 'here') return;
      stop();
      resolve();
    };
    const stop = election!.subscribe(look);
    look();
  });
}
