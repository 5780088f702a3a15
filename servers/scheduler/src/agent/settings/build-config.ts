import {
  ConfigError,
  settingsIn,
  valuesIn,
  type ConfigMistake,
  type GivenSettings,
  type Position,
  type ValuesOf,
} from '@tamis/config';
import { isLoopbackAddress } from '@tamis/http';
import {
  defaultAgentConfig,
  type AgentConfig,
  type Fill,
  type MembershipConfig,
  type RosterEntry,
} from './agent-config.js';
import { storageDrivers } from '@tamis/scheduler-state/drivers/storage-drivers.js';
import type { StorageDriver, StorePlace } from '@tamis/scheduler-state/drivers/driver.js';
import { settings, type SettingPath } from './settings-table.js';

/** The circumstances of a start that are not settings. */
export interface StartedAs {
  /** Whether both modes run in memory, with profiles and debug logs. Given settings take precedence. */
  readonly devMode: boolean;
  /** Names of the configuration files. */
  readonly files: readonly string[];
  /** Replacements for the built-in defaults; optional. */
  readonly defaults?: AgentConfig;
}

/** Builds the configuration. @throws ConfigError with the settings that conflict. */
export function buildConfig(given: GivenSettings, started: StartedAs): AgentConfig {
  const { devMode, files, defaults = defaultAgentConfig } = started;
  const { fill, membership, tls, ...values } = valuesIn(settings, given, devMode, defaults);
  const store = chooseStore(given, values);
  const isSetUp = devMode || files.length > 0 || store.driver.isPersistent;
  const config: AgentConfig = {
    ...defaults,
    ...values,
    ...(files.length === 0 && !store.driver.isPersistent ? freePorts(given) : {}),
    ...{ devMode, files, storage: { driver: store.driver, values: store.values } },
    membership: membershipOf(membership) ?? defaults.membership,
    tls: tls.http || tls.rpc ? tls : null,
    fill: fillOf(fill, fill.sample ?? !isSetUp),
  };
  const mistakes = [...contradictions(config, given, started), ...storeMistakes(config, given, store)];
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

/**
 * Returns free ports for an agent without a configuration file and store. If only the HTTP port is given, the others are free
 * ones, so that several such agents can run at once.
 */
function freePorts(given: GivenSettings): Partial<Pick<AgentConfig, 'rpcPort' | 'serfPort'>> {
  if (given['ports.http'] === undefined) return {};
  return {
    ...(given['ports.rpc'] === undefined && { rpcPort: 0 }),
    ...(given['ports.serf'] === undefined && { serfPort: 0 }),
  };
}

type SettingValues = ValuesOf<typeof settings>;

function membershipOf({ members, serf }: SettingValues['membership']): MembershipConfig | null {
  if (serf.rpcAddress !== null) return { kind: 'serf', rpcAddress: serf.rpcAddress, authKey: serf.authKey };
  return members === null ? null : { kind: 'local', roster: members.map(rosterEntry) };
}

type Member = NonNullable<SettingValues['membership']['members']>[number];

function rosterEntry({ label, value }: Member): RosterEntry {
  const { address, status = 'alive', tags = new Map<string, string>() } = value;
  return { name: label, address, status, tags };
}

/** A sample cluster is for evaluation, so it must not be written to a store or a configured agent. */
function fillOf({ importFile: file, still: isStill }: SettingValues['fill'], isSample: boolean): Fill {
  if (file !== null) return { kind: 'import', file };
  return isSample ? { kind: 'sample', isStill } : { kind: 'nothing' };
}

/** A driver and the settings of its block. */
interface Store {
  readonly driver: StorageDriver;
  readonly values: unknown;
  /** Paths of the given settings in its block. */
  readonly paths: readonly string[];
  /** Paths of given settings in blocks of other drivers. */
  readonly others: readonly string[];
}

/** Returns the driver that has a block, otherwise the default driver. */
function chooseStore(given: GivenSettings, place: StorePlace): Store {
  const stores = storageDrivers.map((driver) => ({
    driver,
    values: valuesIn(driver.settings, given, false),
    paths: settingsIn(driver.settings).flatMap(({ path }) => (given[path] === undefined ? [] : [path])),
  }));
  const said = stores.filter(({ paths }) => paths.length > 0);
  const store = said[0] ?? stores.find(({ driver }) => driver.isMeant(place));
  if (store === undefined) throw new TypeError('no storage driver is meant where no block names one');
  return { ...store, others: said.slice(1).flatMap(({ paths }) => paths.slice(0, 1)) };
}

/** Returns errors in the combination of store settings. */
function storeMistakes(
  { bind, devMode, tls }: AgentConfig,
  given: GivenSettings,
  { driver, values, paths, others }: Store,
): readonly ConfigMistake[] {
  const [first] = paths;
  if (first === undefined) return [];
  const mistake = (path: string, problem: string): ConfigMistake => ({
    at: given[path]?.at ?? given[first]?.at ?? unsaid,
    path,
    problem,
  });
  const own = driver.mistakes(values, (path) => given[path] !== undefined);
  const isReachedSafely = isLoopbackAddress(bind) || (tls?.rpc === true && tls.caFile !== null);
  return [
    ...own.map(([path, problem]) => mistake(path, problem)),
    ...others.map((path) => mistake(path, `${first} keeps the state elsewhere: leave one of them out`)),
    ...(driver.isShared && !isReachedSafely
      ? [
          mistake(
            first,
            `other servers reach this one at ${bind} with the tokens of users: set tls.rpc and tls.ca_file, or bind_addr to 127.0.0.1`,
          ),
        ]
      : []),
    ...(devMode ? [mistake(first, '--dev keeps nothing: leave one of them out')] : []),
  ];
}

/** Returns mistakes in combinations of individually valid settings. */
function contradictions(
  config: AgentConfig,
  given: GivenSettings,
  { devMode }: StartedAs,
): readonly ConfigMistake[] {
  const mistakes: ConfigMistake[] = [];
  const refuse = (path: SettingPath, problem: string): void => {
    mistakes.push({ at: given[path]?.at ?? unsaid, path, problem });
  };
  const { server, client, tls, bind, acl, http, tokenLifetime } = config;
  if (!server.enabled && !client.enabled) {
    refuse('server.enabled', 'an agent is a server, a client or both: set client.enabled too');
  }
  if (client.rawExec && !acl.enabled && !isLoopbackAddress(bind)) {
    refuse(
      'plugin.raw_exec.config.enabled',
      `whoever reaches ${bind} could run programs here: set acl.enabled, or bind_addr to 127.0.0.1`,
    );
  }
  if (tokenLifetime.min > tokenLifetime.max) {
    refuse('acl.token_min_expiration_ttl', 'must not be longer than acl.token_max_expiration_ttl');
  }
  if (config.client.minDynamicPort > config.client.maxDynamicPort)
    refuse('client.min_dynamic_port', 'must not be above client.max_dynamic_port');
  if (devMode && config.dataDir !== null) refuse('data_dir', '--dev keeps nothing: leave one of them out');
  if (tls !== null && tls.certFile === '') refuse('tls.cert_file', 'is missing: TLS needs it');
  if (tls !== null && tls.keyFile === '') refuse('tls.key_file', 'is missing: TLS needs it');
  if (given['membership.serf.rpc_addr'] !== undefined && given['membership.member'] !== undefined) {
    refuse('membership.member', 'the members come from the Serf agent: leave one of them out');
  }
  if (http.requestTimeout > 0 && http.headersTimeout > http.requestTimeout) {
    refuse('limits.headers_timeout', 'must not be longer than limits.request_timeout');
  }
  if (given.still !== undefined && config.fill.kind !== 'sample')
    refuse('still', 'there is no sample: leave it out');
  if (config.regions.has(config.region)) refuse('regions', `${config.region} is the region of this agent`);
  refuseSharedPorts(config, refuse);
  return mistakes;
}

function refuseSharedPorts(
  { port, rpcPort, serfPort }: AgentConfig,
  refuse: (path: SettingPath, problem: string) => void,
): void {
  if (rpcPort !== 0 && rpcPort === port) refuse('ports.rpc', `${rpcPort} is the port of HTTP`);
  if (serfPort !== 0 && (serfPort === port || serfPort === rpcPort)) {
    refuse('ports.serf', `${serfPort} is the port of ${serfPort === port ? 'HTTP' : 'RPC'}`);
  }
}

/** The position of a setting that was not given. */
/** Returns the position for a setting that was not given. */
export const unsaid: Position = { source: 'settings', line: 0, column: 0 };
