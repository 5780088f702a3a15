import type { ApiResponse } from '../api/endpoint-result.js';
import { createRouter } from '../api/endpoint-table.js';
import type { LogQuota } from '../api/log-quota.js';
import type { RefusalQuota } from '../api/refusal-quota.js';
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

/** A response of a standby; null if the active server must handle the request. */
export type StandbyHandler = (request: ApiRequest) => Promise<ApiResponse | null>;

export interface StandbyHandlerOptions {
  /** The store as this server can read it; null while it is sealed, or may not respond by itself. */
  readonly opened: () => OpenSeal | null;
  /** Resolves when everything has been read that was acknowledged before the call. @throws SecretsError */
  readonly refresh: () => Promise<void>;
  /** The log of this server. @throws SecretsError if there is no log yet */
  readonly audit: () => Promise<AuditLog>;
  /** The time of the active server, in milliseconds since 1970, by which tokens end; null where it is not known here. */
  readonly now: () => number | null;
  readonly anonymousQuota: LogQuota;
  readonly refusalQuota: RefusalQuota;
  readonly logger: Logger;
  readonly anonymousLogger: Logger;
}

/** A token, and what it may do: read together, and good for that moment. */
interface Known {
  readonly token: Token;
  readonly isAllowed: ReturnType<typeof rightsBy>;
}

/** The self-lookup endpoints of tokens. */
const prefix = 'auth/token/';

/**
 * Handles self-lookups of batch tokens: they are stored nowhere, so that one read on which the members of the store agree shows
 * whether their role, their mount, their parent token and their policies are unchanged. Nothing is cached between responses, and
 * each is recorded as the active server records it.
 */
export function createStandbyHandler(options: StandbyHandlerOptions): StandbyHandler {
  const now = (): number => {
    const time = options.now();
    if (time === null) throw unclear();
    return time;
  };
  const row = lookupSelfRow(now);
  const router = createRouter([{ prefix, rows: [row] }]);

  /** The token and its rights, as everybody has to see them now. What cannot be read here yet is no refusal. */
  async function know(opened: OpenSeal, id: string, peer: string): Promise<Known | null> {
    await options.refresh();
    const token = await readBatchToken(opened.storage, id, { peer, now: now() });
    if (token === null) return null;
    const policies = createPolicyStore(opened.storage);
    await tokenCapabilities(policies, token.entry, prefix + row.path);
    return { token, isAllowed: rightsBy(policies) };
  }

  /** The token, or why it is rejected; null if the active server must decide, because it is not clear here. */
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
    /** The caller chooses when a body is whole: after it the token and its rights are checked again. */
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
