import type { ApiResponse } from '../api/endpoint-result.js';
import type { ApiRequest } from '../api/request.js';
import { createForwardedRecord } from '../api/forwarded-record.js';
import type { LogQuota, RefusalQuota } from '../api/log-quota.js';
import { openAuditLog, type AuditLog, type AuditSink } from '../audit/audit-log.js';
import type { Clock } from '../base/clock.js';
import type { Clocks } from '../base/clocks.js';
import { SecretsError } from '../base/errors.js';
import { watchActive, type ActiveWatch } from '../http/active-watch.js';
import type { BodyBudgets } from '../http/body-budget.js';
import { createForwarding, type Forward } from '../http/forwarding.js';
import { defaultListenerLimits } from '../http/limits.js';
import { createPeerClient, type PeerClient } from '../http/peer-client.js';
import { createPeerServer, type PeerServer, type PeerTls } from '../http/peer-server.js';
import type { Logger } from '../base/logger.js';
import { ownPaths } from '../routes/status-routes.js';
import type { OpenSeal } from '../seal/seal.js';
import type { ServerConfig } from './server-config.js';
import { createStandbyHandler } from './standby-responses.js';
import type { Standing } from './standing.js';
import type { StoreElection } from '../storage/driver.js';
import type { WriteHealth } from '../storage/write-health.js';
import { createAuditStanding } from './audit-standing.js';

export interface PeerLinkOptions {
  readonly config: Pick<ServerConfig, 'listeners'>;
  readonly parts: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly randomBytes: (length: number) => Buffer;
    readonly auditSink: AuditSink | null;
    readonly auditHealth: WriteHealth | null;
    readonly anonymousQuota: LogQuota;
    readonly refusalQuota: RefusalQuota;
    readonly anonymousLogger: Logger;
    readonly bodyBudgets: BodyBudgets;
    readonly readText: (file: string) => Promise<string>;
    readonly readSecret: (file: string) => Promise<string>;
  };
  readonly clocks: Clocks;
  readonly api: (request: ApiRequest) => Promise<ApiResponse>;
}

/** Connection of a server to the other servers that share its store. */
export function createPeerLink(
  election: StoreElection,
  standing: Standing,
  { config, parts, clocks, api }: PeerLinkOptions,
) {
  const { clock, logger } = parts;
  let server: PeerServer | null = null;
  let client: PeerClient | null = null;
  let forward: Forward | null = null;
  let watch: ActiveWatch | null = null;
  const audits = new WeakMap<OpenSeal, AuditLog>();
  const peerKey = (): Buffer | null => standing.peerKey();

  async function readTls(): Promise<PeerTls | null> {
    const { tls } = election.peer;
    if (tls === null) return null;
    const [cert, key, ca] = await Promise.all([
      parts.readText(tls.certFile),
      parts.readSecret(tls.keyFile),
      parts.readText(tls.caFile),
    ]);
    return { cert, key, ca };
  }

  function activeAddress(): string | null {
    const active = election.current();
    return active.location === 'there' ? active.address : null;
  }

  /** Returns the audit log of this server. All servers share the salt that the first active server created. */
  async function audit(): Promise<AuditLog> {
    const opened = standing.opened();
    if (opened === null) throw new SecretsError('sealed', 'the server is sealed');
    const { storage } = opened;
    const log =
      audits.get(opened) ??
      (await openAuditLog({ ...parts, storage, sink: parts.auditSink, now: () => clock.now() }));
    audits.set(opened, log);
    return log;
  }

  const handleHere = createStandbyHandler({
    ...{ ...parts, audit, refresh: () => election.refresh() },
    now() {
      const ahead = clocks.ahead();
      return ahead === null || clocks.hasJumped() ? null : clock.now() - ahead;
    },
    opened: () => (standing.isPerformanceStandby() ? standing.opened() : null),
  });

  let mayAudit = true;
  const auditStanding = createAuditStanding({
    ...{ clock, logger },
    problem: async () => (await parts.auditHealth?.problem()) ?? null,
    isActive: () => standing.isActive(),
    allow(mayLead) {
      mayAudit = mayLead;
      standing.allow(mayAudit && !clocks.isApart());
    },
  });
  clocks.subscribe(() => {
    const isApart = clocks.isApart();
    standing.allow(mayAudit && !isApart);
    if (isApart) logger.error({ ahead: clocks.ahead() }, 'this clock is far from those of most servers');
    else logger.warn({}, 'this clock is near those of most servers again');
  });
  return {
    async listen(): Promise<void> {
      const tls = await readTls();
      client = createPeerClient(tls);
      const canAudit = (): boolean => auditStanding.canAudit();
      const watching = watchActive({ client, clock, clocks, activeAddress, peerKey, canAudit });
      watch = watching;
      forward = createForwarding({
        ...{ client, clock, peerKey, ownPaths, activeAddress },
        record: createForwardedRecord({ audit, anonymousQuota: parts.anonymousQuota }),
        onSilence: (address, listener) => watching.onSilence(address, listener),
        whereabouts: (signal) => standing.whereabouts(signal),
        subscribe: (listener) => election.subscribe(listener),
      });
      server = createPeerServer({
        ...{ ...election.peer.listen, tls, peerKey, api, logger },
        isActive: () => standing.isActive(),
        reportTime(report) {
          auditStanding.learn(report);
          return clocks.respond(report);
        },
        limits: config.listeners[0]?.limits ?? defaultListenerLimits,
        bodyBudget: parts.bodyBudgets.withToken,
      });
      await server.listen();
    },
    forward: (async (request, body) =>
      (await handleHere(request)) ?? forward?.(request, body) ?? null) satisfies Forward,
    async close(): Promise<void> {
      watch?.close();
      auditStanding.close();
      await server?.close();
      client?.close();
    },
  };
}
