import type { EtcdSettings } from '@tamis/etcd/settings';
import type { PeerConfig } from './driver.js';

/** A store in etcd, with what is usual where the configuration says nothing. */
export interface EtcdPlace {
  readonly connection: EtcdSettings;
  /** What the keys of the store begin with. */
  readonly prefix: string;
  /** Seconds after which an active server that is not heard of is replaced. */
  readonly leaseTtl: number;
  readonly peer: PeerConfig;
  /** Whether a standby handles self-lookups of batch tokens itself. */
  readonly isPerformanceStandby: boolean;
}
