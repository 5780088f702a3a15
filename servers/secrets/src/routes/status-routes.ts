import { parseGoBool } from '@tamis/http';
import type { ApiResponse, EndpointResult } from '../api/endpoint-result.js';
import { requires, type Endpoint, type EndpointRow } from '../api/endpoint-table.js';
import type { LogQuota } from '../api/log-quota.js';
import { toFailure } from '../api/failure.js';
import type { ApiRequest } from '../api/request.js';
import { auditLine, type AuditSink } from '../audit/audit-log.js';
import { badRequest, SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { ActiveServer, PeerConfig } from '../storage/driver.js';
import type { WriteHealth } from '../storage/write-health.js';
import { readKeyField, refuseEncryption, requireOneShare } from './operator-routes.js';
import { createAttempts } from './root-token.js';

/** The state of a server, which can be read and changed without a token. */
export interface ServerState {
  isInitialized(): Promise<boolean>;
  isSealed(): boolean;
  /** Returns which server is active; null if the store is not shared. */
  active(): ActiveServer | null;
  /** Whether this server is a standby that handles self-lookups of batch tokens itself. */
  isPerformanceStandby(): boolean;
  /**
   * Returns by how much this clock is ahead of that of the active server, in ms; null if this server is active or nothing is
   * known.
   */
  clockAhead(): number | null;
  /** Returns warnings for operators. */
  warnings(): readonly string[];
  /** Initializes the store. @returns the unseal key and the first root token, which are not stored. */
  initialize(): Promise<{ readonly unsealKey: Buffer; readonly rootToken: string }>;
  unseal(key: Buffer): Promise<void>;
  /**
   * Creates a root token for a caller that has the unseal key.
   *
   * @param before called once the key is verified; if it fails, no token is created.
   * @throws SecretsError `sealed`, `not-initialized`, or `bad-request` for a wrong key
   */
  makeRootToken(key: Buffer, before: () => Promise<void>): Promise<string>;
}

export interface StatusOptions {
  readonly state: ServerState;
  /** Address for other servers; null if the store is not shared. */
  readonly peer: PeerConfig | null;
  readonly version: string;
  readonly now: () => number;
  /** Health of the store and the audit log, which every request needs. */
  readonly writeHealth: readonly WriteHealth[];
  readonly randomBytes: (length: number) => Buffer;
  readonly auditSink: AuditSink | null;
  readonly anonymousQuota: LogQuota;
  readonly logger: Logger;
  /** Logger for events caused by unauthenticated callers. */
  readonly anonymousLogger: Logger;
}

/** Maximum length of a body, in bytes. Prevents unauthenticated callers from sending more than a key. */
export const maxStatusBodyBytes = 4_096;

/** The paths below `sys/` that accept a body without a token. */
export const statusWrites: ReadonlySet<string> = new Set(
  ['init', 'unseal', 'generate-root/attempt', 'generate-root/update'].map((path) => `sys/${path}`),
);

type StatusEndpoint = (options: StatusOptions, request: ApiRequest) => Promise<EndpointResult | void>;

/** Returns the endpoints below `sys/` that respond in any state of the server, without a token. */
export function statusRows(options: StatusOptions): readonly EndpointRow[] {
  // The endpoint reads the body itself, so that a request with an invalid body is recorded.
  const open = (endpoint: StatusEndpoint): Endpoint =>
    requires(null, ({ request }) => endpoint(options, request));
  const initializing = traced(initialize, 'the server was initialized', 'initializing was refused');
  const unsealing = traced(unseal, 'the server was unsealed', 'unsealing was refused');
  const isInitialized: StatusEndpoint = async ({ state }) =>
    bare({ initialized: await state.isInitialized() });
  return [
    { path: 'health', operations: { read: open(health) } },
    { path: 'seal-status', operations: { read: open(async () => bare(await sealStatus(options))) } },
    { path: 'leader', operations: { read: open(async (given) => bare(leaderOf(given))) } },
    { path: 'init', operations: { read: open(isInitialized), write: open(initializing) } },
    { path: 'unseal', operations: { write: open(unsealing) } },
    ...rootTokenRows(options, open),
  ];
}

/** Returns the endpoints for creating a root token. They require only the unseal key, because the last root token may be lost. */
function rootTokenRows(options: StatusOptions, open: (endpoint: StatusEndpoint) => Endpoint): EndpointRow[] {
  const attempts = createAttempts(options.randomBytes, options.now);
  const status = { started: false, progress: 0, required: 1, complete: false, encoded_token: '' };
  const beginAttempt: StatusEndpoint = async (_options, request) => {
    refuseEncryption(await request.readBody(maxStatusBodyBytes));
    return bare({ ...status, started: true, ...attempts.begin() });
  };
  const makeRootToken: StatusEndpoint = async ({ state, auditSink, now }, request) => {
    const body = await request.readBody(maxStatusBodyBytes);
    refuseEncryption(body);
    const encode = attempts.open(body.nonce);
    const key = readKeyField(body);
    // A root token is never created without a record.
    const line = auditLine(now(), 'request', { auth: null, request: describe(request) });
    const token = await state.makeRootToken(key, async () => auditSink?.write(line));
    key.fill(0);
    return bare({ ...status, nonce: body.nonce, progress: 1, complete: true, encoded_token: encode(token) });
  };
  const making = traced(
    makeRootToken,
    'a root token was made with the unseal key',
    'a root token was refused',
  );
  return [
    {
      path: 'generate-root/attempt',
      operations: {
        read: open(async () => bare({ ...status, nonce: '', otp_length: 0 })),
        write: open(beginAttempt),
        delete: open(async () => undefined),
      },
    },
    { path: 'generate-root/update', operations: { write: open(making) } },
  ];
}

function bare(body: ApiResponse['body'], status = 200): EndpointResult {
  return { kind: 'bare', status, body: body ?? {} };
}

const never = '0001-01-01T00:00:00Z';

/** Returns the address of the active server, if known. */
function leaderOf({ state, peer }: StatusOptions): Readonly<Record<string, unknown>> {
  const active = state.active();
  const isSelf = active === null || active.location === 'here';
  const address = active?.location === 'there' ? active : isSelf && peer !== null ? peer : null;
  return {
    ha_enabled: active !== null,
    is_self: isSelf,
    active_time: active?.location === 'here' ? new Date(active.since).toISOString() : never,
    leader_address: address?.api ?? '',
    leader_cluster_address: address === null ? '' : `${peer?.tls ? 'https' : 'http'}://${address.address}`,
    performance_standby: state.isPerformanceStandby(),
  };
}

/** Paths that every server handles itself. */
export const ownPaths: ReadonlySet<string> = new Set(
  ['health', 'seal-status', 'leader', 'init', 'unseal'].map((path) => `sys/${path}`),
);

/**
 * Returns an endpoint that logs an operation without a token, and records it in the audit log if that can be written. A full disk
 * must not prevent unsealing.
 */
function traced(endpoint: StatusEndpoint, done: string, refused: string): StatusEndpoint {
  return async (options, request) => {
    const { id, peer } = request;
    try {
      const response = await endpoint(options, request);
      // The caller has the unseal key, so the quota of unauthenticated callers does not apply.
      options.logger.warn({ request_id: id, peer }, done);
      await record(options, request, 200);
      return response;
    } catch (error) {
      const reason = error instanceof SecretsError ? (error.reason ?? error.message) : 'internal error';
      options.anonymousLogger.warn({ request_id: id, peer, reason }, refused);
      await record(options, request, toFailure(error).status, reason);
      throw error;
    }
  };
}

function describe({ id, operation, path, peer }: ApiRequest): Readonly<Record<string, unknown>> {
  return { id, operation, path, remote_address: peer, client_token: null, data: null };
}

async function record(
  { auditSink, anonymousQuota, now }: StatusOptions,
  request: ApiRequest,
  status: number,
  error?: string,
): Promise<void> {
  const line = auditLine(now(), 'response', {
    auth: null,
    request: describe(request),
    response: { status, body: null },
    ...(error !== undefined && { error }),
  });
  if (status < 400 || anonymousQuota.take(Buffer.byteLength(line)))
    await auditSink?.write(line).catch(() => undefined);
  else anonymousQuota.leaveOut();
}

/** Returns the health. Its status shows load balancers whether this server can be used. */
async function health(options: StatusOptions, { query }: ApiRequest): Promise<EndpointResult> {
  const { state, version, now, writeHealth } = options;
  const initialized = await state.isInitialized();
  const sealed = state.isSealed();
  const errors = (await Promise.all(writeHealth.map((each) => each.problem()))).filter(
    (problem) => problem !== null,
  );
  const active = state.active();
  const isStandby = active !== null && active.location !== 'here' && !sealed;
  const isPerformance = isStandby && state.isPerformanceStandby();
  const usable = isPerformance ? 'perfstandbyok' : 'standbyok';
  const isUsable = !isStandby || isTrue(query.get(usable)?.[0]);
  const short = await Promise.all(writeHealth.map((each) => each.isShort()));
  const [parameter, defaultStatus] = !initialized
    ? (['uninitcode', 501] as const)
    : sealed
      ? (['sealedcode', 503] as const)
      : errors.length > 0
        ? (['failedcode', 503] as const)
        : isUsable
          ? (['activecode', 200] as const)
          : isPerformance
            ? (['performancestandbycode', 473] as const)
            : (['standbycode', 429] as const);
  const warnings = [
    ...(short.includes(true) ? ['the store or the audit log is short of space'] : []),
    ...state.warnings(),
  ];
  const ahead = state.clockAhead();
  const chosen = codesOf(query).get(parameter) ?? defaultStatus;
  const body = {
    initialized,
    sealed,
    standby: isStandby,
    performance_standby: isPerformance,
    server_time_utc: Math.floor(now() / 1000),
    version,
    ...(ahead !== null && { clock_skew_ms: ahead }),
    ...(errors.length > 0 && { errors }),
    ...(warnings.length > 0 && { warnings }),
  };
  return bare(body, chosen);
}

/** Names of the parameters that set a status. */
const codeNames = [
  'uninitcode',
  'sealedcode',
  'failedcode',
  'activecode',
  'standbycode',
  'performancestandbycode',
];

/**
 * Returns the statuses set by parameters. Invalid parameters are refused now, before a load balancer depends on them. @throws
 * SecretsError `bad-request`
 */
function codesOf(query: ApiRequest['query']): ReadonlyMap<string, number> {
  const sent = codeNames.flatMap((name) => {
    const [text = ''] = query.get(name) ?? [];
    return text === '' ? [] : [[name, text] as const];
  });
  const wrong = sent.find(([, text]) => !/^[2-5]\d\d$/.test(text));
  if (wrong !== undefined) throw badRequest(`${wrong[0]} must be a status from 200 to 599`);
  return new Map(sent.map(([name, text]) => [name, Number(text)]));
}

/** Whether a parameter is true. It is true if it has no value. */
function isTrue(value: string | undefined): boolean {
  return value !== undefined && (value === '' || parseGoBool(value) === true);
}

async function sealStatus({ state, version }: StatusOptions): Promise<Readonly<Record<string, unknown>>> {
  return {
    type: 'single',
    initialized: await state.isInitialized(),
    sealed: state.isSealed(),
    t: 1,
    n: 1,
    progress: 0,
    version,
  };
}

async function initialize({ state }: StatusOptions, request: ApiRequest): Promise<EndpointResult> {
  const body = await request.readBody(maxStatusBodyBytes);
  requireOneShare(body);
  refuseEncryption(body);
  const { unsealKey, rootToken } = await state.initialize();
  const keys = { keys: [unsealKey.toString('hex')], keys_base64: [unsealKey.toString('base64')] };
  unsealKey.fill(0);
  return bare({ ...keys, root_token: rootToken });
}

async function unseal(options: StatusOptions, request: ApiRequest): Promise<EndpointResult> {
  const bytes = readKeyField(await request.readBody(maxStatusBodyBytes));
  await options.state.unseal(bytes);
  bytes.fill(0);
  return bare(await sealStatus(options));
}
