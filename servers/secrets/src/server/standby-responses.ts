import type { ApiResponse } from '../api/endpoint-result.js';
import { createRouter } from '../api/endpoint-table.js';
import type { LogQuota, RefusalQuota } from '../api/log-quota.js';
import { createPipeline } from '../api/pipeline.js';
import type { ApiRequest } from '../api/request.js';
import type { AuditLog } from '../audit/audit-log.js';
import { SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { createPolicyStore, rightsBy } from '../policies/policy-store.js';
import { tokenCapabilities } from '../policies/token-capabilities.js';
import { lookupSelfRow } from '../routes/token-routes.js';
import type { OpenSeal } from '../seal/seal.js';
import { isBatchToken } from '../tokens/batch-token.js';
import { readBatchToken } from '../tokens/batch-reader.js';
import type { Token } from '../tokens/token-entry.js';

/** Handles a request on a standby. Resolves to null if the active server must handle it. */
export type StandbyHandler = (request: ApiRequest) => Promise<ApiResponse | null>;

export interface StandbyHandlerOptions {
  /** Returns the store as this server can read it; null if it is sealed or must not respond itself. */
  readonly opened: () => OpenSeal | null;
  /** Resolves when all writes acknowledged before the call have been read. @throws SecretsError */
  readonly refresh: () => Promise<void>;
  /** Returns the audit log of this server. @throws SecretsError if there is no log yet */
  readonly audit: () => Promise<AuditLog>;
  /** Returns the time of the active server, in ms since 1970; null if unknown. It decides whether a token has expired. */
  readonly now: () => number | null;
  readonly anonymousQuota: LogQuota;
  readonly refusalQuota: RefusalQuota;
  readonly logger: Logger;
  readonly anonymousLogger: Logger;
}

/** A token and its permissions, read at the same time. Valid for only one request. */
interface Known {
  readonly token: Token;
  readonly isAllowed: ReturnType<typeof rightsBy>;
}

/** The self-lookup endpoints of tokens. */
const prefix = 'auth/token/';

/**
 * Creates a handler for self-lookups of batch tokens, which are not stored. One consistent read of the store shows whether role,
 * mount, parent token and policies are unchanged. Nothing is cached between requests. Each request is recorded as on the active
 * server.
 */
export function createStandbyHandler(options: StandbyHandlerOptions): StandbyHandler {
  const now = (): number => {
    const time = options.now();
    if (time === null) throw unclear();
    return time;
  };
  const row = lookupSelfRow(now);
  const router = createRouter([{ prefix, rows: [row] }]);

  /**
   * Returns the token and its permissions; null if they cannot be determined here. Only a denial refuses the token; other errors
   * do not.
   */
  async function know(opened: OpenSeal, id: string, peer: string): Promise<Known | null> {
    await options.refresh();
    const token = await readBatchToken(opened.storage, id, { peer, now: now() });
    if (token === null) return null;
    const policies = createPolicyStore(opened.storage);
    await tokenCapabilities(policies, token.entry, prefix + row.path);
    return { token, isAllowed: rightsBy(policies) };
  }

  /** Returns the token, or the reason why it is refused; null if only the active server can decide. */
  async function look(opened: OpenSeal, id: string, peer: string): Promise<Known | SecretsError | null> {
    try {
      return await know(opened, id, peer);
    } catch (error) {
      return error instanceof SecretsError && error.code === 'permission-denied' ? error : null;
    }
  }

  return async (request) => {
    const { path, token } = request;
    const opened = options.opened();
    if (opened === null || path !== prefix + row.path || token === null || !isBatchToken(token)) return null;
    let first = await look(opened, token, request.peer);
    if (first === null) return null;
    let isAllowed: Known['isAllowed'] = async () => false;
    /**
     * Checks the token and its permissions. Called again after the body has arrived, because the caller controls when that
     * happens.
     */
    const use = async (): Promise<Token> => {
      const found = first ?? (await look(opened, token, request.peer));
      first = null;
      if (found instanceof SecretsError) throw found;
      if (found === null) throw unclear();
      ({ isAllowed } = found);
      return found.token;
    };
    const handle = createPipeline({
      ...options,
      router,
      audit: await options.audit(),
      checkToken: use,
      useToken: use,
      isAllowed: (...args) => isAllowed(...args),
      secretsAmong: async () => [],
    });
    return handle(request);
  };
}

function unclear(): SecretsError {
  return new SecretsError('standby', 'this server can no longer respond on its own: nothing has changed');
}
