import { randomBytes, randomUUID } from 'node:crypto';
import { cloudMount } from '../src/auth/cloud/method-type.js';
import { systemClock } from '@tamis/http';
import type { Logger } from '../src/base/logger.js';
import { createSecretsServer } from '../src/server/server.js';
import { defaultListener, defaultServerConfig } from '../src/server/server-config.js';
import { createMemoryStorage } from '../src/storage/memory.js';
import { productVersion } from '../src/base/version.js';
import {
  audience,
  clientId,
  clientSecret,
  createFakeCloud,
  subscription,
  tenant,
} from '../test/support/fake-cloud.js';
import { loopbackFetch } from '../test/support/loopback-fetch.js';
import { walk, type Step } from './walk.js';

export const rootToken = 'demo-root';

export interface Demo {
  readonly server: string;
  readonly cloud: string;
  /** The commands to type, in this order. */
  readonly steps: readonly Step[];
  close(): Promise<void>;
}

export interface DemoOptions {
  /** 0 for any free port. */
  readonly serverPort: number;
  readonly cloudPort: number;
  readonly logger: Logger;
}

/** Starts a fake cloud on loopback, and an in-memory server that uses it. No request leaves this machine. */
export async function startDemo({ serverPort, cloudPort, logger }: DemoOptions): Promise<Demo> {
  const cloud = await createFakeCloud({ port: cloudPort });
  const config = {
    ...defaultServerConfig,
    listeners: [{ ...defaultListener, port: serverPort }],
    auth: [cloudMount(cloud.endpoints)],
  };
  const server = createSecretsServer(config, {
    clock: systemClock,
    randomBytes,
    uuid: randomUUID,
    logger,
    storage: createMemoryStorage(),
    auditSink: null,
    readText: () => Promise.reject(new Error('the demo has no files')),
    readSecret: () => Promise.reject(new Error('the demo has no files')),
    fetch: loopbackFetch,
    environment: {},
    random: Math.random,
    version: productVersion,
  });
  await server.startUnsealed(rootToken);
  const [address = ''] = await server.listen().catch(async (error: unknown) => {
    await cloud.close();
    throw error;
  });
  return {
    server: address,
    cloud: cloud.origin,
    steps: walk({
      server: address,
      cloud: cloud.origin,
      rootToken,
      tenant,
      subscription,
      audience,
      clientId,
      clientSecret,
    }),
    async close() {
      await server.close();
      await cloud.close();
    },
  };
}
