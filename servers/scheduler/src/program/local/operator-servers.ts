import {
  memberStatus,
  raisedAlarms,
  readOverview,
  type Connection,
  type MemberStatus,
  type Overview,
  type RaisedAlarm,
} from '@tamis/etcd';
import { readPeer } from '@tamis/scheduler-state/cluster/regions.js';
import { readRegistration, type RegisteredServer } from '@tamis/scheduler-state/cluster/server-list.js';
import { decodeIncarnation, decodeState } from '@tamis/scheduler-state/storage/etcd/log-state.js';

/** A report about the servers of a region and their shared etcd. */
export interface ServersReport {
  /** Name of the leader; null if none exists. */
  readonly leader: string | null;
  /** Number of its election; null if none exists. */
  readonly term: number | null;
  /** Index of the last write, and the number of its history. */
  readonly index: number;
  readonly incarnation: number;
  readonly servers: readonly ReportedServer[];
  readonly members: readonly MemberStatus[];
  readonly alarms: readonly RaisedAlarm[];
}

export interface ReportedServer {
  readonly name: string;
  readonly rpcAddress: string;
  readonly httpAddress: string;
  readonly version: string;
  readonly isLeader: boolean;
  /** Applied index; null if not reported. */
  readonly index: number | null;
  /** Why the index is not reported. */
  readonly problem?: string;
}

export interface ServersReportRequest {
  readonly connection: Connection;
  readonly prefix: string;
  /** Secret of a token; null for none. */
  readonly token: string | null;
  readonly fetch: typeof globalThis.fetch;
}

/** Timeout for the response of a server, in ms. */
const timeoutMs = 3_000;

/** Queries etcd, its members and all registered servers. @throws EtcdError, StorageError */
export async function reportServers(request: ServersReportRequest): Promise<ServersReport> {
  const { connection, prefix } = request;
  const overview = await readOverview(connection, prefix);
  const [servers, members, alarms] = await Promise.all([
    Promise.all(registered(overview).map((server) => queryServer(server, overview, request))),
    memberStatus(connection),
    raisedAlarms(connection),
  ]);
  return {
    leader: overview.leader?.name ?? null,
    term: overview.leader?.term ?? null,
    index: decodeState(overview.head?.state).index,
    incarnation: decodeIncarnation(overview.head?.incarnation),
    ...{ servers, members, alarms },
  };
}

function registered({ registrations }: Overview): readonly RegisteredServer[] {
  return registrations.map(readRegistration).filter((server) => server !== null);
}

async function queryServer(
  { name, address, httpAddress, tags }: RegisteredServer,
  { leader }: Overview,
  request: ServersReportRequest,
): Promise<ReportedServer> {
  const known = {
    ...{ name, rpcAddress: address, httpAddress },
    version: tags['build'] ?? '',
    isLeader: leader?.name === name,
  };
  try {
    // A token is sent to an address from etcd only over an encrypted connection.
    const url = readPeer('', httpAddress);
    return { ...known, index: await appliedIndex(url, request) };
  } catch (error) {
    return { ...known, index: null, problem: reasonOf(error) };
  }
}

async function appliedIndex(
  server: URL,
  { fetch, token }: Pick<ServersReportRequest, 'fetch' | 'token'>,
): Promise<number> {
  const headers = token === null ? {} : { 'x-scheduler-token': token };
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(new URL('/v1/agent/self', server), { headers, redirect: 'error', signal });
  if (response.status === 403) throw new Error('needs a token with agent:read in SCHEDULER_TOKEN');
  if (response.status !== 200) throw new Error(`returned ${response.status}`);
  const { stats } = (await response.json()) as {
    readonly stats?: { readonly raft?: Record<string, unknown> };
  };
  const index = Number(stats?.raft?.['applied_index']);
  if (!Number.isSafeInteger(index)) throw new Error('returns no index');
  return index;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && cause.name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

/** Whether a report contains nothing that needs an operator's attention. */
export function isHealthy({ leader, servers, members, alarms }: ServersReport): boolean {
  const isReached = servers.every(({ index }) => index !== null);
  return (
    leader !== null && isReached && alarms.length === 0 && members.every((member) => !('failure' in member))
  );
}

/** Returns a report as readable tables. */
export function formatReport(region: string, report: ServersReport): string {
  const { alarms, incarnation, index, leader, members, servers, term } = report;
  const history = incarnation === 0 ? 'nothing written yet' : `since ${new Date(incarnation).toISOString()}`;
  const leads = leader === null ? 'no leader' : `leader ${leader} (term ${term})`;
  const problems = [
    ...servers.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`])),
    ...members.flatMap((member) => ('failure' in member ? [`${member.url}: ${member.failure}`] : [])),
    ...alarms.map(({ kind, member }) => `member ${member} has raised an alarm: ${kind}`),
  ];
  return [
    `region ${region}, index ${index}, ${history}, ${leads}`,
    '',
    ...table(
      ['SERVER', 'RPC', 'HTTP', 'VERSION', 'LEADER', 'INDEX', 'LAG'],
      servers.map((one) => serverRow(one, index)),
    ),
    '',
    ...table(['ETCD', 'VERSION', 'DATABASE', 'LEADER'], members.map(memberRow)),
    ...(problems.length === 0 ? [] : ['', ...problems]),
    '',
  ].join('\n');
}

function serverRow(server: ReportedServer, newest: number): string[] {
  const { name, rpcAddress, httpAddress, version, isLeader, index } = server;
  const progress = index === null ? ['?', '?'] : [String(index), String(Math.max(0, newest - index))];
  return [name, rpcAddress, httpAddress, version, isLeader ? 'yes' : '', ...progress];
}

function memberRow(member: MemberStatus): string[] {
  if ('failure' in member) return [member.url, '?', '?', '?'];
  const { url, version, databaseBytes, isLeader, hasLeader } = member;
  const size = `${(databaseBytes / 2 ** 20).toFixed(1)} MiB`;
  return [url, version, size, isLeader ? 'yes' : hasLeader ? '' : 'knows none'];
}

/** Returns lines with aligned columns. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  return [header, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
