import { toResponse, type ApiResponse } from './api/answer.js';
import { toFailure } from './api/failure.js';
import type { ApiRequest } from './api/request.js';
import type { AuditSink } from './audit/audit-log.js';
import type { AuthMethod } from './auth/method.js';
import type { Clock } from './clock.js';
import { SecretsError } from './errors.js';
import { createHandler } from './http/handler.js';
import { createListener, type Certificate, type Listener } from './http/listener.js';
import { createPages } from './http/ui.js';
import type { Logger } from './logger.js';
import { createStatusRoutes, type ServerState } from './routes/status-routes.js';
import { createSeal } from './seal/seal.js';
import type { ListenerConfig, ServerConfig, TlsConfig } from './server-config.js';
import { openServices, type Services } from './services.js';
import type { Storage } from './storage/storage.js';
import { openTokenStore } from './tokens/token-store.js';

/** What a server needs from the world. */
export interface ServerDependencies {
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Buffer;
  readonly uuid: () => string;
  readonly logger: Logger;
  /** As it is on disk: the server encrypts what it puts there. */
  readonly storage: Storage;
  /** Null for no audit log. */
  readonly auditSink: AuditSink | null;
  readonly readText: (file: string) => Promise<string>;
  /** Makes the method that is mounted below `auth/`, each time the server is unsealed. */
  readonly createMethod: (storage: Storage) => AuthMethod;
  readonly version: string;
}

/** A server, put together, not yet listening. */
export interface SecretsServer extends ServerState {
  /** Initializes and unseals a store that is new, with a root token of this id; for development. */
  startUnsealed(rootTokenId: string | null): Promise<{ readonly rootToken: string }>;
  /** Starts to listen; resolves with the addresses in the order of the configuration. */
  listen(): Promise<readonly string[]>;
  /** Takes over the response headers, reads the certificates again, and opens the audit log anew. */
  reload(config: ServerConfig): Promise<void>;
  /** Finishes the answers under way and closes everything, the storage too. */
  close(): Promise<void>;
}

export function createSecretsServer(config: ServerConfig, dependencies: ServerDependencies): SecretsServer {
  const { clock, logger, storage, auditSink, version } = dependencies;
  const core = createCore(config, dependencies);
  const status = createStatusRoutes({ state: core, version, now: () => clock.now() });
  let listeners: readonly Listener[] = [];

  async function api(request: ApiRequest): Promise<ApiResponse> {
    try {
      const answer = await status(request);
      if (answer !== null) return toResponse(answer, request.id);
      const services = core.services();
      if (services === null) throw await closedDoor(core);
      return await services.handle(request);
    } catch (error) {
      if (!(error instanceof SecretsError))
        logger.error({ err: error, path: request.path }, 'request failed');
      return toFailure(error);
    }
  }

  return {
    ...core,
    async listen() {
      const pages = createPages(config.ui ? `auth/${config.cloud.path}` : null);
      listeners = await Promise.all(
        config.listeners.map(async (listener) => {
          const { limits, forwardedFor } = listener;
          const handler = createHandler({ ...dependencies, api, pages, limits, forwardedFor });
          const tls = await readTls(listener.tls, dependencies);
          return createListener({ ...listener, tls, handler, clock, logger });
        }),
      );
      const addresses: string[] = [];
      for (const listener of listeners) addresses.push(await listener.listen());
      return addresses;
    },
    async reload(fresh) {
      for (const [at, listener] of listeners.entries()) {
        const settings = sameListener(fresh, config.listeners[at], at);
        if (settings === null) {
          logger.warn(
            { listener: at },
            'this listener is not in the file any more: it stays until a restart',
          );
        } else {
          listener.replaceHeaders(settings.headers);
          await reloadCertificate(listener, settings.tls, at, dependencies);
        }
      }
      if (fresh.listeners.length > listeners.length) {
        logger.warn({}, 'new listeners in the file are opened by a restart');
      }
      try {
        await auditSink?.reopen();
      } catch (error) {
        logger.error({ err: error }, 'the audit log cannot be opened anew: lines go to the old file');
      }
    },
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()));
      await core.services()?.close();
      await auditSink?.close();
      await storage.close();
    },
  };
}

async function closedDoor(state: ServerState): Promise<SecretsError> {
  return (await state.isInitialized())
    ? new SecretsError('sealed', 'the server is sealed')
    : new SecretsError('not-initialized', 'the server is not initialized');
}

interface Core extends ServerState, Pick<SecretsServer, 'startUnsealed'> {
  /** Null while the server is sealed. */
  services(): Services | null;
}

/** The store and what is built upon it: sealed at first. */
function createCore(config: ServerConfig, dependencies: ServerDependencies): Core {
  const { clock, randomBytes, storage } = dependencies;
  const seal = createSeal(storage, randomBytes);
  let services: Services | null = null;
  let opening: Promise<void> | null = null;

  async function initializeWith(
    rootTokenId: string | null,
  ): Promise<{ unsealKey: Buffer; rootToken: string }> {
    let rootToken = '';
    const unsealKey = await seal.initialize(async (draft) => {
      const limits = config.lease;
      const tokens = await openTokenStore({
        storage: draft,
        clock,
        randomBytes,
        limits,
        currentTerms: async () => null,
      });
      rootToken = (await tokens.createRoot(rootTokenId)).id;
    });
    return { unsealKey, rootToken };
  }

  async function unseal(key: Buffer): Promise<void> {
    const opened = await seal.open(key);
    // Two holders of the key at once: one set of services, or tokens would be counted twice.
    opening ??= openServices({ ...dependencies, config, storage: opened }).then(
      (made) => void (services = made),
    );
    try {
      await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  return {
    services: () => services,
    isInitialized: () => seal.isInitialized(),
    isSealed: () => services === null,
    initialize: () => initializeWith(null),
    unseal,
    async startUnsealed(rootTokenId) {
      const { unsealKey, rootToken } = await initializeWith(rootTokenId);
      await unseal(unsealKey);
      unsealKey.fill(0);
      return { rootToken };
    },
  };
}

/** A listener is the same when it stands at the same place with the same address. */
function sameListener(
  { listeners }: ServerConfig,
  old: ListenerConfig | undefined,
  at: number,
): ListenerConfig | null {
  const fresh = listeners[at];
  return fresh?.host === old?.host && fresh?.port === old?.port ? (fresh ?? null) : null;
}

async function readTls(
  tls: TlsConfig | null,
  { readText }: ServerDependencies,
): Promise<{ certificate: Certificate; minVersion: TlsConfig['minVersion'] } | null> {
  if (tls === null) return null;
  const [cert, key] = await Promise.all([readText(tls.certFile), readText(tls.keyFile)]);
  return { certificate: { cert, key }, minVersion: tls.minVersion };
}

/** The old certificate stays where the new one cannot be used: no reload may take a listener off the net. */
async function reloadCertificate(
  listener: Listener,
  tls: TlsConfig | null,
  at: number,
  dependencies: ServerDependencies,
): Promise<void> {
  try {
    const read = await readTls(tls, dependencies);
    if (read !== null) listener.replaceCertificate(read.certificate);
  } catch (error) {
    dependencies.logger.error(
      { err: error, listener: at },
      'the certificate cannot be read: the old one stays',
    );
  }
}
