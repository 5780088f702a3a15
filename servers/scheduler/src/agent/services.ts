import { createSharedLists, createTimeSlicer, eventLoop } from '@tamis/http';
import { createAccessResolver } from '../services/acl/access-resolver.js';
import { readPolicyRules } from '../services/acl/policy-rules.js';
import type { AgentConfig } from './settings/agent-config.js';
import { createStampClock } from '@tamis/scheduler-model/base/clock.js';
import type { ElectedLeadership } from '@tamis/scheduler-state/cluster/elected-leadership.js';
import { createSingleServer, termOf, type Server } from '@tamis/scheduler-state/cluster/leadership.js';
import { noServers, type ServerList } from '@tamis/scheduler-state/cluster/server-list.js';
import { createEventHub, type EventHub } from '../services/events/event-hub.js';
import { formatAddress } from '@tamis/scheduler-model/host/address.js';
import type { HttpContext } from '../api/kernel/context.js';
import { createInFlight } from '../api/kernel/in-flight.js';
import { createMetrics } from '../services/metrics/metrics.js';
import { createRuntimeProbe } from '../services/metrics/runtime-probe.js';
import { createProfiles, type Profiles } from '../services/profiles/profiles.js';
import type { ProgressListener } from '@tamis/scheduler-state/progress/count-items.js';
import { createProgressLog } from '@tamis/scheduler-state/progress/progress-log.js';
import { watchLoading } from '@tamis/scheduler-state/progress/watch-loading.js';
import { createBlockingQueries } from '@tamis/scheduler-state/state/blocking-query.js';
import { openState } from '@tamis/scheduler-state/state/state.js';
import { watchStorage, type StoreHealth } from '@tamis/scheduler-state/storage/watch-storage.js';
import { createAgentRequestHandlers } from './agent-request-handlers.js';
import type { AdvertisedAddresses } from './advertised-address.js';
import type { AgentDependencies } from './agent-dependencies.js';
import { nameOf } from './agent-name.js';
import { logLeadership } from './leadership-log.js';
import { hasMutualTls, requireAgreement } from './agreed-settings.js';

/** The services under a server, before any listener is open. */
export interface Services extends Pick<
  HttpContext,
  'access' | 'blocking' | 'events' | 'leader' | 'lists' | 'slices' | 'stamp' | 'state'
> {
  /** The elected leadership; null for a single server. */
  readonly election: ElectedLeadership | null;
  readonly servers: ServerList;
  readonly store: StoreHealth;
  readonly observation: Observation;
}

/** Opens the services of a server. @throws StorageError, DisagreementError */
export async function createServices(
  config: AgentConfig,
  dependencies: AgentDependencies & { readonly addresses: AdvertisedAddresses },
): Promise<Services> {
  const { clock, logs, random } = dependencies;
  await joinOthers(config, dependencies);
  const { storage, health: store } = watchStorage(dependencies.storage, clock.now);
  const election = createElection(config, dependencies);
  const { bootstrapExpect } = config;
  const self = selfOf(config, dependencies.addresses);
  const leader = election ?? createSingleServer({ bootstrapExpect, self, clock });
  const stamp = (dependencies.shared?.stamps ?? createStampClock(clock)).next;
  const state = await openState({
    sources: { stamp, uuid: dependencies.uuid },
    storage: watchLoading(storage, loadingLog(dependencies)),
    clock,
    term: () => termOf(leader.current()),
    incarnation: clock.now(),
  });
  const blocking = createBlockingQueries({ state, clock, random, maxWaiters: config.maxWaiters });
  // Slices always use the real event loop, whatever clock the agent uses.
  const slices = createTimeSlicer(eventLoop);
  return {
    stamp,
    leader,
    election,
    servers: election?.servers ?? noServers,
    state,
    store,
    blocking,
    events: createEvents(config, { clock, logs, slices, state }),
    access: createAccessResolver({ enabled: config.acl.enabled, clock, readRules: readPolicyRules }),
    slices,
    lists: createSharedLists(slices),
    observation: await createObservation(config, dependencies, {
      snapshot: () => state.snapshot(),
      waiting: () => blocking.waiting,
      contact: () => leader.contact(),
    }),
  };
}

/** Logs the progress of loading the store if it takes long. */
function loadingLog({ clock: { now }, logs }: Pick<AgentDependencies, 'clock' | 'logs'>): ProgressListener {
  const messages = { step: 'loading the store', end: 'the store is loaded, its rows are being put in order' };
  return createProgressLog({ now, log: logs.part('store'), items: 'rows', messages });
}

function createEvents(
  { maxEventStreams, unresolved }: AgentConfig,
  {
    clock,
    logs,
    slices,
    state,
  }: Pick<AgentDependencies, 'clock' | 'logs'> & Pick<Services, 'slices' | 'state'>,
): EventHub {
  const log = logs.part('events');
  return createEventHub({
    ...{ clock, slices, unresolved },
    feed: state.changes,
    index: state.snapshot().index,
    maxStreams: maxEventStreams,
    failed: (error) => log.error({ err: error }, 'changes cannot be reported, all event streams end'),
  });
}

/** @throws DisagreementError; nothing is open then. */
async function joinOthers(
  config: AgentConfig,
  { shared = null, storage }: Pick<AgentDependencies, 'shared' | 'storage'>,
): Promise<void> {
  if (shared === null) return;
  try {
    await requireAgreement(config, shared);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function createElection(
  config: AgentConfig,
  {
    addresses,
    clock,
    fatal = () => undefined,
    logs,
    shared = null,
  }: AgentDependencies & { readonly addresses: AdvertisedAddresses },
): ElectedLeadership | null {
  if (shared === null) return null;
  const { name } = shared;
  const log = logs.part('leader');
  const election = shared.join({
    clock,
    self: selfOf(config, addresses),
    bootstrapExpect: config.bootstrapExpect,
    hasMutualTls: hasMutualTls(config),
    displaced: (by) =>
      log.error(
        { name: nameOf(config).member, address: by?.address ?? null },
        'another server has the name of this one: give each a name of its own, or the others will not find this one',
      ),
    contact(isThere) {
      if (isThere) log.info(`${name} answers again`);
      else
        log.warn(
          `${name} does not respond: this server accepts no writes and no default reads until it does`,
        );
    },
    disagrees(error) {
      log.error(error.message);
      fatal(error);
    },
    uncompacted: (error) => log.warn({ err: error }, `old revisions stay in ${name}: its database will grow`),
    failed: (error) => log.error({ err: error }, 'this server was elected and cannot lead yet'),
  });
  logLeadership(election, log);
  return election;
}

function selfOf(config: AgentConfig, addresses: AdvertisedAddresses): Server {
  return {
    name: nameOf(config).member,
    // The port is known once it listens.
    get address() {
      return formatAddress(addresses.of('rpc'));
    },
  };
}

/** Monitoring of a running agent: metrics, profiles, requests in progress. */
export type Observation = Awaited<ReturnType<typeof createObservation>>;

/** @param state counters of the state; null without a state. */
export async function createObservation(
  config: AgentConfig,
  dependencies: Pick<AgentDependencies, 'clock' | 'commandLine' | 'logs' | 'machine' | 'report'>,
  state: Parameters<typeof createMetrics>[0]['state'],
) {
  const { clock, commandLine, logs, machine, report } = dependencies;
  const inFlight = createInFlight();
  const metrics = createMetrics({
    state,
    inFlight: () => inFlight.requests().length,
    runtime: createRuntimeProbe(),
    now: clock.now,
  });
  const mayProfile = config.enableDebug === true || config.acl.enabled;
  const profiles: Profiles | null = mayProfile
    ? await createProfiles({ clock, commandLine, report, requests: inFlight.requests })
    : null;
  return {
    inFlight,
    metrics,
    /** Returns the service for requests about this process under the given ID. */
    serviceOf: createAgentRequestHandlers({ clock, logs, machine, profiles }),
    close(): void {
      profiles?.close();
      metrics.close();
    },
  };
}
