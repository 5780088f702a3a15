import { valuesIn, type ValuesOf } from '@tamis/config';
import { defaultFilterCacheLimits, type FilterCacheLimits } from 'tamis/query';
import { defaultResponseCacheLimits, type ResponseCacheLimits } from 'tamis/http';
import type { SampleSize } from '../sample/sample-cluster.js';
import { settings } from './settings-table.js';
import { memoryDriver } from '@tamis/scheduler-state/drivers/memory.js';
import type { StorageConfig } from '@tamis/scheduler-state/drivers/driver.js';

type SettingValues = ValuesOf<typeof settings>;

/**
 * The configuration of an agent: every setting at its path, values derived from several settings, and the circumstances of the
 * start.
 */
export interface AgentConfig extends Omit<SettingValues, 'fill' | 'membership' | 'tls'> {
  /** Whether it was started as `agent --dev`: both modes, in memory, with profiles and debug logs. */
  readonly devMode: boolean;
  /** The configuration files that were read. */
  readonly files: readonly string[];
  readonly storage: StorageConfig;
  readonly membership: MembershipConfig;
  readonly tls: TlsConfig | null;
  /** The initial contents of a new state. */
  readonly fill: Fill;
  readonly filters: FilterCacheLimits;
  readonly responseCache: ResponseCacheLimits;
}

export type ServerConfig = AgentConfig['server'];

/** The source of the other agents: a static roster, or the members of a Serf agent. */
export type MembershipConfig =
  | { readonly kind: 'local'; readonly roster: readonly RosterEntry[] }
  | { readonly kind: 'serf'; readonly rpcAddress: string; readonly authKey: string | null };

/** A member named in the configuration, in addition to this agent. */
export interface RosterEntry {
  /** Full name, such as `srv2.global`. */
  readonly name: string;
  /** Gossip address, `host:port`. */
  readonly address: string;
  readonly status: 'alive' | 'leaving' | 'left' | 'failed';
  readonly tags: ReadonlyMap<string, string>;
}

/** Paths of the certificates of the listeners, PEM files. */
export interface TlsConfig {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string | null;
  readonly http: boolean;
  readonly rpc: boolean;
}

/** Contents of the certificate files, PEM. */
export interface TlsMaterial {
  /** The certificate and its chain. */
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The authorities that sign peer certificates; null for those that Node.js trusts. */
  readonly ca: Buffer | null;
}

export type Fill =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'sample';
      /** Whether the sample has no simulated activity. */
      readonly isStill: boolean;
      /** Default: `defaultSampleSize`. */
      readonly size?: SampleSize;
    }
  | { readonly kind: 'import'; readonly file: string };

const unsaid = valuesIn(settings, {}, false);

export const defaultAgentConfig: AgentConfig = Object.freeze<AgentConfig>({
  ...unsaid,
  devMode: false,
  files: [],
  storage: { driver: memoryDriver, values: {} },
  membership: { kind: 'local', roster: [] },
  tls: null,
  fill: { kind: 'sample', isStill: false },
  filters: defaultFilterCacheLimits,
  responseCache: defaultResponseCacheLimits,
});
