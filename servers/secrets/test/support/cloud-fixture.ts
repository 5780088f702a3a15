import { randomUUID } from 'node:crypto';
import { createCloudMethod, type CloudMethodOptions } from '../../src/auth/cloud/cloud-method.js';
import type { AuthMethod, Identity } from '../../src/auth/method.js';
import { SecretsError, type SecretsErrorCode } from '../../src/base/errors.js';
import type { Logger } from '../../src/base/logger.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { audience, clientId, clientSecret, createFakeCloud, tenant, type FakeCloud } from './fake-cloud.js';
import { createFakeClock, type FakeClock } from './fake-clock.js';
import { principal } from './fake-resources.js';
import { loopbackFetch } from './loopback-fetch.js';
import { callMethod, type MethodRequest, type MethodResponse } from './method-caller.js';

type Body = Readonly<Record<string, unknown>>;

/** A cloud and a method that calls it, with a shared clock. */
export interface CloudFixture {
  readonly cloud: FakeCloud;
  readonly clock: FakeClock;
  readonly method: AuthMethod;
  /** Everything that was logged, as JSON lines. */
  readonly log: readonly string[];
  call(
    operation: MethodRequest['operation'],
    path: string,
    body?: Body,
    peer?: string,
  ): Promise<MethodResponse>;
  /** The data of a read. */
  read(path: string): Promise<Readonly<Record<string, unknown>>>;
  /** Writes the configuration of the fake cloud, with credentials. */
  configure(changes?: Body): Promise<void>;
  /** Writes role `dev`, bound to the principal of `vm1` unless the changes bind something. */
  role(changes?: Body): Promise<void>;
  /** Logs in with role `dev` and a good token unless the changes say otherwise. */
  logIn(changes?: Body, peer?: string): Promise<Identity>;
  /** Another method on the same storage, as after a restart. */
  restart(changes?: Partial<CloudMethodOptions>): Promise<CloudFixture>;
  close(): Promise<void>;
}

export async function createCloudFixture(changes: Partial<CloudMethodOptions> = {}): Promise<CloudFixture> {
  const clock = createFakeClock();
  const cloud = await createFakeCloud({ now: clock.now });
  const storage = createMemoryStorage();
  return fixtureOf(cloud, clock, { storage, ...changes });
}

function fixtureOf(
  cloud: FakeCloud,
  clock: FakeClock,
  changes: Partial<CloudMethodOptions> & Pick<CloudMethodOptions, 'storage'>,
): CloudFixture {
  const log: string[] = [];
  const method = createCloudMethod({
    clock,
    fetch: loopbackFetch,
    environment: {},
    endpoints: cloud.endpoints,
    logger: linesLogger(log),
    random: () => 0.4,
    uuid: randomUUID,
    ...changes,
  });

  const call: CloudFixture['call'] = (operation, path, body = {}, peer = '127.0.0.1') =>
    callMethod(method, { operation, path, body, peer });

  return {
    cloud,
    clock,
    method,
    log,
    call,
    async read(path) {
      const response = await call('read', path);
      if (response?.kind !== 'data') throw new Error(`a read returned ${response?.kind}`);
      return response.data;
    },
    async configure(config = {}) {
      await call('write', 'config', {
        tenant_id: tenant,
        resource: audience,
        client_id: clientId,
        client_secret: clientSecret,
        ...config,
      });
    },
    async role(fields = {}) {
      const isBound = Object.keys(fields).some((name) => name.startsWith('bound_'));
      await call('write', 'role/dev', {
        ...(isBound ? {} : { bound_service_principal_ids: [principal] }),
        ...fields,
      });
    },
    async logIn(fields = {}, peer) {
      const jwt = 'jwt' in fields ? fields.jwt : await cloud.token();
      const response = await call('write', 'login', { role: 'dev', ...fields, jwt }, peer);
      if (response?.kind !== 'login') throw new Error(`a login returned ${response?.kind}`);
      return response.identity;
    },
    async restart(again = {}) {
      await method.close();
      return fixtureOf(cloud, clock, { ...changes, ...again });
    },
    async close() {
      await method.close();
      await cloud.close();
    },
  };
}

function linesLogger(lines: string[]): Logger {
  const write: Logger['info'] = (fields, message) => void lines.push(JSON.stringify({ ...fields, message }));
  return { debug: write, info: write, warn: write, error: write };
}

/** How a request was refused. */
export interface Refused {
  readonly code: SecretsErrorCode;
  readonly message: string;
  readonly reason: string | null;
}

/** What a request that must fail was refused with. Any other failure, or none, fails the test. */
export async function refusal(request: Promise<unknown>): Promise<Refused> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    return { code: error.code, message: error.message, reason: error.reason };
  }
  throw new Error('the request was answered');
}

/** The code alone. */
export async function code(request: Promise<unknown>): Promise<SecretsErrorCode> {
  return (await refusal(request)).code;
}
