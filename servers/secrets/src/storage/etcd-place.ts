import type { EtcdSettings } from '@tamis/etcd/settings';
import type { PeerConfig } from './driver.js';

/** A store in etcd, with defaults for missing settings. */
export interface EtcdPlace {
  readonly connection: EtcdSettings;
  /** Prefix of all keys of the store. */
  readonly prefix: string;
  /** Time after which a silent active server is replaced, in seconds. */
  readonly leaseTtl: number;
  readonly peer: PeerConfig;
  /** Whether a standby handles self-lookups of batch tokens itself. */
  readonly isPerformanceStandby: boolean;
}
