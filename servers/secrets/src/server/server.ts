import { toResponse, type ApiResponse } from '../api/endpoint-result.js';
import { createRouter, endpointOf } from '../api/endpoint-table.js';
import { createLogQuota, createRefusalQuota, type LogQuota, type RefusalQuota } from '../api/log-quota.js';
import { toFailure } from '../api/failure.js';
import type { ApiRequest } from '../api/request.js';
import { limitLogger } from '../api/limited-logger.js';
import { auditLine, openAuditLog, type AuditSink } from '../audit/audit-log.js';
import { watchSink } from '../audit/watched-sink.js';
import { cloudMethod } from '../auth/cloud/method-type.js';
import type { MethodContext } from '../auth/method-type.js';
import { createClocks, type Clocks } from '../base/clocks.js';
import { readTls, reloadConfig } from './config-reload.js';
import { badRequest, SecretsError } from '../base/errors.js';
import { createBodyBudgets, type BodyBudgets } from '../http/body-budget.js';
import { createHandler } from '../http/handler.js';
import { createListener, type Listener } from '../http/listener.js';
import { createPages } from '../http/ui.js';
import type { Logger } from '../base/logger.js';
import { createMetrics, type Metrics } from '../metrics/metrics.js';
import { ownPaths, statusRows, type ServerState } from '../routes/status-routes.js';
import { createSeal, type OpenSeal } from '../seal/seal.js';
import { createBodyRules } from './body-rules.js';
import type { ServerConfig } from './server-config.js';
import { openServices, type Services } from './services.js';
import { createSessions, sealed, type Session } from './sessions.js';
import { createOperator } from './operator.js';
import { createStanding, type Standing } from './standing.js';
import { createPeerLink } from './peer-link.js';
import type { ActiveServer, StoreElection } from '../storage/driver.js';
import { whileActive } from '../storage/while-active.js';
import type { WriteHealth } from '../storage/write-health.js';
import type { RootStorage } from '../storage/storage.js';
import { watchStorage } from '../storage/watched-storage.js';
import { openTokenStore } from '../tokens/token-store.js';

/** Dependencies of a server. */
export interface ServerDependencies extends Omit<MethodContext, 'storage' | 'maxLeaseSeconds' | 'endRole'> {
  readonly randomBytes: (length: number) => Buffer;
  /** The underlying storage, which the server encrypts. */
  readonly storage: RootStorage;
  /** Election of a shared store. */
  readonly election?: StoreElection | null;
  /** Null if there is no audit log. */
  readonly auditSink: AuditSink | null;
  readonly readText: (file: string) => Promise<string>;
  /** Like `readText`, for a file that must not be readable by other users. */
  readonly readSecret: (file: string) => Promise<string>;
  readonly version: string;
}

/** A server that is not yet listening. */
export interface SecretsServer extends ServerState {
  /** Initializes and unseals a new store, with a root token of this ID; for development. */
  startUnsealed(rootTokenId: string | null): Promise<{ readonly rootToken: string }>;
  /** Starts to listen; resolves with the addresses in the order of the configuration. */
  listen(): Promise<readonly string[]>;
  /** Applies the response headers, reloads the certificates, and logs changes that need a restart. */
  reload(config: ServerConfig): Promise<void>;
  /** Reopens the audit log, after it has been moved away. False if the old file stays in use. */
  reopenAudit(): Promise<boolean>;
  /** Completes pending responses and closes everything, including the storage. */
  close(): Promise<void>;
}

export function createSecretsServer(config: ServerConfig, given: ServerDependencies): SecretsServer {
  const { clock, logger, version } = given;
  const parts = watchDisks(given);
  const { auditSink, storage } = parts;
  const election = given.election ?? null;
  const clocks = election === null ? null : createClocks(election.peer.address, clock);
  const core = createCore(config, parts, { election, clocks });
  const peer = election?.peer ?? null;
  const rows = statusRows({ ...parts, state: core, peer, version, now: () => clock.now() });
  const statusRouter = createRouter([{ prefix: 'sys/', rows }]);
  let listeners: readonly Listener[] = [];

  /**
   * Handles a request. The active role is confirmed afterwards, because a suspended process may have a stale response or a lost
   * write.
   */
  async function api(request: ApiRequest): Promise<ApiResponse> {
    const begin = performance.now();
    const active = election?.current() ?? null;
    if (active?.location === 'here' && !ownPaths.has(request.path) && clocks?.hasJumped() === true) {
      return toFailure(new SecretsError('standby', clockHasJumped));
    }
    const response = await confirmed(request, active, await respondTo(request));
    core.metrics.observe(request, response.status, (performance.now() - begin) / 1000);
    return given.storage.isOwn()
      ? response
      : toFailure(new SecretsError('storage-failed', 'another process has taken over the store'));
  }

  /** Returns the response if this server was active during the whole request, otherwise a `standby` error. */
  async function confirmed(
    { path }: ApiRequest,
    active: ActiveServer | null,
    response: ApiResponse,
  ): Promise<ApiResponse> {
    if (election === null || ownPaths.has(path) || response.status >= 500) return response;
    if (response.status < 400 && leavingPaths.has(path)) return response;
    if (active?.location === 'here' && (await election.confirm(active.leaderTerm))) return response;
    return toFailure(
      new SecretsError('standby', 'another server became active: whether this was done is not known'),
    );
  }

  async function respondTo(request: ApiRequest): Promise<ApiResponse> {
    try {
      const status = statusRouter(request.path);
      if (status !== null && status.row !== null) {
        const endpoint = endpointOf(status, request.operation);
        const result = await endpoint.handle({ request, body: {}, name: status.name, caller: null });
        return toResponse(result, request.id);
      }
      return await core.handle(request);
    } catch (error) {
      if (!(error instanceof SecretsError)) {
        parts.anonymousLogger.error({ err: error, request_id: request.id }, 'request failed');
      }
      return toFailure(error);
    }
  }

  const { standing } = core;
  const link =
    election === null || standing === null || clocks === null
      ? null
      : createPeerLink(election, standing, { config, parts, clocks, api });
  return {
    ...core,
    async listen() {
      await link?.listen();
      const pages = createPages(config.ui ? loginMountsOf(config) : null);
      const bodyRule = createBodyRules(config.auth);
      listeners = await Promise.all(
        config.listeners.map(async (listener) => {
          const handler = createHandler({
            ...{ ...parts, ...listener, logger: parts.anonymousLogger, api, pages, bodyRule },
            forward: link?.forward ?? null,
          });
          const tls = await readTls(listener.tls, given);
          return createListener({ ...listener, tls, handler, clock, logger });
        }),
      );
      const addresses: string[] = [];
      for (const listener of listeners) addresses.push(await listener.listen());
      return addresses;
    },
    reload: (fresh) => reloadConfig(listeners, config, fresh, given),
    async reopenAudit() {
      try {
        await auditSink?.reopen();
        return true;
      } catch (error) {
        logger.error({ err: error }, 'the audit log cannot be reopened: lines go to the old file');
        return false;
      }
    },
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()));
      await link?.close();
      await core.close();
      parts.closeQuotas();
      await auditSink?.close();
      await storage.close();
    },
  };
}

/** Error message while a clock change makes valid tokens look expired. Prevents clients from discarding them. */
const clockHasJumped = 'the clock of this server has just been set: nothing has changed, try again later';

/** The dependencies, with health checks of the disks and with quotas for log lines. */
interface Parts extends Omit<ServerDependencies, 'auditSink'> {
  readonly auditSink: AuditSink | null;
  readonly writeHealth: readonly WriteHealth[];
  readonly auditHealth: WriteHealth | null;
  readonly requireSpace: () => Promise<void>;
  readonly anonymousQuota: LogQuota;
  readonly refusalQuota: RefusalQuota;
  readonly anonymousLogger: Logger;
  readonly bodyBudgets: BodyBudgets;
  readonly closeQuotas: () => void;
}

function watchDisks(given: ServerDependencies): Parts {
  const { clock, logger } = given;
  const store = watchStorage(given.storage, given);
  const audit = given.auditSink === null ? null : watchSink(given.auditSink, given);
  const anonymousQuota = createLogQuota({
    clock,
    report(count, since) {
      const line = auditLine(clock.now(), 'suppressed', { count, since: new Date(since).toISOString() });
      // If this write fails, the health of the audit log reports it.
      audit?.sink.write(line).catch(() => undefined);
    },
  });
  const refusalQuota = createRefusalQuota({
    clock,
    report(count, since) {
      const fields = { count, since: new Date(since).toISOString(), with_token: true };
      audit?.sink.write(auditLine(clock.now(), 'suppressed', fields)).catch(() => undefined);
      logger.warn({ count }, 'refusals of requests with a token that were omitted from the logs in a minute');
    },
  });
  const loggerQuota = createLogQuota({
    clock,
    report: (count) =>
      logger.warn({ count }, 'lines about refused unauthenticated requests that were omitted in a minute'),
  });
  return {
    ...given,
    storage: store.storage,
    auditSink: audit?.sink ?? null,
    writeHealth: [store.health, ...(audit === null ? [] : [audit.health])],
    auditHealth: audit?.health ?? null,
    async requireSpace() {
      if (!(await store.health.isShort())) return;
      throw new SecretsError('no-space', 'the store is short of space: no new tokens until there is more');
    },
    anonymousQuota,
    refusalQuota,
    anonymousLogger: limitLogger(logger, loggerQuota),
    bodyBudgets: createBodyBudgets(),
    closeQuotas() {
      anonymousQuota.close();
      refusalQuota.close();
      loggerQuota.close();
    },
  };
}

/** Paths whose success makes this server inactive or sealed, so that its active role cannot be confirmed afterwards. */
const leavingPaths: ReadonlySet<string> = new Set(['sys/step-down', 'sys/seal']);

interface Core extends ServerState, Pick<SecretsServer, 'startUnsealed'> {
  /** Null if the store has a single server. */
  readonly standing: Standing | null;
  readonly metrics: Metrics;
  /** @throws SecretsError `sealed` or `not-initialized` */
  handle(request: ApiRequest): Promise<ApiResponse>;
  close(): Promise<void>;
}

/** Creates the store and its services, initially sealed. */
function createCore(
  config: ServerConfig,
  parts: Parts,
  { election, clocks }: { readonly election: StoreElection | null; readonly clocks: Clocks | null },
): Core {
  const { clock, randomBytes, storage } = parts;
  const seal = createSeal(storage, randomBytes, () => clock.now(), election !== null);
  const sessions = createSessions(parts.logger);
  const metrics = createMetrics({
    ...parts,
    mounts: config.auth.map(({ path }) => path),
    keyTerm: () => sessions.current()?.seal.keyring.status().term ?? null,
  });

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
        maxTokensOf: () => 0,
        requireSpace: async () => undefined,
        currentTerms: async () => null,
      });
      rootToken = (await tokens.createRoot(rootTokenId)).id;
      tokens.forget();
      // A standby needs the salt of the audit log, and cannot create one.
      const audit = await openAuditLog({ storage: draft, sink: null, now: () => clock.now(), randomBytes });
      audit.forget();
    });
    return { unsealKey, rootToken };
  }

  function servicesOf(opened: OpenSeal): Promise<Services> {
    const { auditFile } = config;
    const ways = {
      close: standing?.seal ?? sessions.end,
      stepDown: standing?.stepDown ?? alone,
    };
    const operator = createOperator({ ...parts, ...ways, auditFile, metrics, seal: opened });
    const hasClockJumped = (): boolean => clocks?.hasJumped() === true;
    return openServices({ ...parts, config, storage: opened.storage, operator, hasClockJumped });
  }

  const standing =
    election === null
      ? null
      : createStanding({
          ...{ election, sessions, clock, logger: parts.logger, openServices: servicesOf },
          bind: (leaderTerm) => ({ ...storage, write: (changes) => storage.write(changes, leaderTerm) }),
        });

  async function unseal(key: Buffer): Promise<void> {
    const opened = await seal.open(key);
    if (standing === null) await sessions.begin(opened, () => servicesOf(opened));
    else standing.begin(opened);
  }

  async function requireOpen(): Promise<Session> {
    const session = sessions.current();
    if (session !== null) return session;
    if (standing?.isUnsealed() === true) throw new SecretsError('standby', 'this server is a standby');
    throw (await seal.isInitialized())
      ? sealed()
      : new SecretsError('not-initialized', 'the server is not initialized');
  }

  return {
    metrics,
    standing,
    active: () => election?.current() ?? null,
    isPerformanceStandby: () => standing?.isPerformanceStandby() ?? false,
    clockAhead: () => (standing?.isActive() === true ? null : (clocks?.ahead() ?? null)),
    warnings: () => [...(election?.warnings() ?? []), ...(clocks?.warnings() ?? [])],
    async handle(request) {
      const session = sessions.current() ?? (await requireOpen());
      // A client that delays its body must not use earlier permissions after sealing.
      const readBody: ApiRequest['readBody'] = (max) => session.awaitWithin(request.readBody(max));
      return session.run(session.services.handle({ ...request, readBody }));
    },
    async close() {
      await sessions.current()?.services.close();
      await sessions.over;
      await standing?.close();
    },
    isInitialized: () => seal.isInitialized(),
    isSealed: () => (standing === null ? sessions.current() === null : !standing.isUnsealed()),
    async initialize() {
      if (election === null || (await seal.isInitialized())) return initializeWith(null);
      return whileActive(election, clock, () => initializeWith(null));
    },
    unseal,
    async makeRootToken(key, before) {
      const session = await requireOpen();
      const make = async (): Promise<string> => {
        if (!(await session.seal.verifies(key))) throw badRequest('the unseal key is wrong');
        await before();
        return (await session.services.createRoot()).id;
      };
      return session.run(make());
    },
    async startUnsealed(rootTokenId) {
      const make = (): ReturnType<typeof initializeWith> => initializeWith(rootTokenId);
      const { unsealKey, rootToken } = await (election === null
        ? make()
        : whileActive(election, clock, make));
      await unseal(unsealKey);
      unsealKey.fill(0);
      return { rootToken };
    },
  };
}

async function alone(): Promise<void> {
  throw badRequest('this server does not share its store: no other server can take over');
}

/** Returns the paths of the cloud mounts, whose logins the page can try. */
function loginMountsOf({ auth }: ServerConfig): readonly string[] {
  return auth.filter(({ type }) => type === cloudMethod.name).map(({ path }) => `auth/${path}`);
}
