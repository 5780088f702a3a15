import { eventLoop } from '@tamis/http';
import type { ApiResponse } from '../api/endpoint-result.js';
import type { LogQuota, RefusalQuota } from '../api/log-quota.js';
import { createRouter, type Mount } from '../api/endpoint-table.js';
import { createPipeline } from '../api/pipeline.js';
import type { ApiRequest } from '../api/request.js';
import { createPathAliases } from '../api/path-aliases.js';
import { openAuditLog, type AuditSink } from '../audit/audit-log.js';
import type { AuthMount, MethodContext } from '../auth/method-type.js';
import type { AuthMethod } from '../auth/method.js';
import { recordMounts } from '../auth/mount-records.js';
import { mountAuthMethod } from '../auth/mount.js';
import { every } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { createPolicyStore, rightsBy, type PolicyStore } from '../policies/policy-store.js';
import { listingRows } from '../routes/listing-routes.js';
import { operatorRows, type Operator } from '../routes/operator-routes.js';
import { policyRows } from '../routes/policy-routes.js';
import { leaseRows, tokenGroupRows } from '../routes/token-group-routes.js';
import { tokenRows } from '../routes/token-routes.js';
import type { ServerConfig } from './server-config.js';
import { prefixedStorage } from '../storage/prefixed-storage.js';
import type { Storage } from '../storage/storage.js';
import type { LeaseLimits } from '../tokens/lease.js';
import type { Token } from '../tokens/token-entry.js';
import { openTokenStore, type TokenStore } from '../tokens/token-store.js';

/** Services of an unsealed server. */
export interface Services {
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Creates a token with all rights that never expires. */
  createRoot(): Promise<Token>;
  close(): Promise<void>;
}

export interface ServicesOptions extends Omit<MethodContext, 'maxLeaseSeconds' | 'endRole'> {
  readonly config: Pick<ServerConfig, 'auth' | 'lease'>;
  /** The decrypted storage of an open seal. */
  readonly storage: Storage;
  readonly randomBytes: (length: number) => Buffer;
  /** Logger for events caused by unauthenticated callers. */
  readonly anonymousLogger: Logger;
  readonly auditSink: AuditSink | null;
  readonly operator: Operator;
  /** Quota for audit log entries of unauthenticated callers. */
  readonly anonymousQuota: LogQuota;
  readonly refusalQuota: RefusalQuota;
  /** @throws SecretsError `no-space` if only writes that free space are allowed. */
  readonly requireSpace: () => Promise<void>;
  /** Whether the clock has just been set. A wrong clock must not cause removals, so nothing is removed then. */
  readonly hasClockJumped: () => boolean;
}

/** A mount with its method. The method exists while the store is open. */
interface OpenMount extends AuthMount {
  readonly method: AuthMethod;
}

/** Creates the methods, each with its own part of the store. */
function openMounts(
  { config, storage, ...context }: ServicesOptions,
  tokens: Pick<TokenStore, 'endRole'>,
): readonly OpenMount[] {
  return config.auth.map((mount) => ({
    ...mount,
    method: mount.createMethod({
      ...context,
      storage: prefixedStorage(storage, `auth/${mount.path}/`),
      maxLeaseSeconds: config.lease.maxTtl,
      endRole: (role) => tokens.endRole(`auth/${mount.path}`, role),
    }),
  }));
}

export interface ApiParts {
  readonly mounts: readonly OpenMount[];
  readonly lease: LeaseLimits;
  readonly policies: PolicyStore;
  readonly tokens: TokenStore;
  readonly operator: Operator;
  readonly now: () => number;
  /** Paths of former mounts. Tokens created there may still be valid. */
  readonly former?: readonly string[];
}

/** Returns the tables of all endpoints that require a token or return one. */
export function apiTables(parts: ApiParts): readonly Mount[] {
  const { mounts, lease, policies, tokens, operator, now, former = [] } = parts;
  const paths = [...new Set([...mounts.map(({ path }) => path), ...former, 'token'])];
  return [
    {
      prefix: 'sys/',
      rows: [
        ...policyRows(policies, eventLoop, tokens),
        ...listingRows(mounts, lease),
        ...leaseRows(tokens, paths),
        ...operatorRows(operator),
      ],
    },
    { prefix: 'auth/token/', rows: [...tokenRows(tokens, policies, now), ...tokenGroupRows(tokens, paths)] },
    ...mounts.map(({ path, method, login }) => mountAuthMethod({ path, method, tokens, now, limits: login })),
  ];
}

/** Maximum number of tokens of an identity whose mount is no longer configured. Its tokens can still create others. */
const maxTokensOfOthers = 10_000;

/** Returns the maximum number of tokens of a family, which was created without a login: the largest maximum of all mounts. */
function familyBound(mounts: readonly AuthMount[]): number {
  const bounds = mounts.map(({ maxTokensPerIdentity }) => maxTokensPerIdentity);
  if (bounds.length === 0) return maxTokensOfOthers;
  return bounds.includes(0) ? 0 : Math.max(...bounds);
}

/** Interval between sweeps of ended tokens, in ms. */
const sweepInterval = 30_000;

export async function openServices(options: ServicesOptions): Promise<Services> {
  const {
    config,
    storage,
    clock,
    randomBytes,
    logger,
    anonymousLogger,
    auditSink,
    anonymousQuota,
    operator,
    hasClockJumped,
  } = options;
  const now = (): number => clock.now();
  const maxTokensOfFamily = familyBound(config.auth);
  const former = await recordMounts(storage, config.auth, logger);
  const tokens = await openTokenStore({
    storage,
    clock,
    randomBytes,
    limits: config.lease,
    maxTokensOf: (identity) =>
      identity === null
        ? maxTokensOfFamily
        : (mounts.find(({ path }) => identity.startsWith(`${path}/`))?.maxTokensPerIdentity ??
          maxTokensOfOthers),
    requireSpace: options.requireSpace,
    async currentTerms(madeAt, role) {
      const mount = mounts.find(({ path }) => madeAt.startsWith(`auth/${path}/`));
      return mount === undefined ? null : mount.method.renew(role);
    },
  });
  const audit = await openAuditLog({ storage, sink: auditSink, now, randomBytes });
  const policies = createPolicyStore(storage, (path) => aliases(path));
  // Opened last, when nothing else can fail, because methods run background tasks until they are closed.
  const mounts = openMounts(options, tokens);
  const tables = apiTables({ mounts, lease: config.lease, policies, tokens, operator, now, former });
  const aliases = createPathAliases(tables);
  const handle = createPipeline({
    router: createRouter(tables),
    audit,
    anonymousQuota,
    refusalQuota: options.refusalQuota,
    logger,
    anonymousLogger,
    checkToken: (id, peer) => tokens.check(id, peer),
    useToken: (id, peer) => tokens.use(id, peer),
    isAllowed: rightsBy(policies),
    async secretsAmong(texts) {
      const found = await Promise.all(texts.map((text) => tokens.isSecret(text)));
      return texts.filter((_, at) => found[at]);
    },
  });
  const stopSweeping = every(clock, sweepInterval, async () => {
    try {
      if (!hasClockJumped()) await tokens.sweep();
    } catch (error) {
      logger.error({ err: error }, 'tokens that have ended could not be removed: trying again');
    }
  });
  return {
    handle,
    createRoot: () => tokens.createRoot(null),
    async close() {
      await stopSweeping();
      await Promise.all(mounts.map(({ method }) => method.close())).finally(() => {
        tokens.forget();
        audit.forget();
      });
    },
  };
}
