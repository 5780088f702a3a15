import { cloudMount } from '../auth/cloud/method-type.js';
import type { AuthMount } from '../auth/method-type.js';
import { defaultListenerLimits, type ListenerLimits } from '../http/limits.js';
import { noForwardedFor, type ForwardedFor } from '../http/peer.js';
import { noResponseHeaders, type ResponseHeaders } from '../http/response-headers.js';
import type { StorageConfig } from '../storage/driver.js';
import { memoryDriver } from '../storage/memory.js';
import type { LeaseLimits } from '../tokens/lease.js';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Files of a certificate, and the minimum TLS version. */
export interface TlsConfig {
  readonly certFile: string;
  readonly keyFile: string;
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
}

/** One address that the server listens on. */
export interface ListenerConfig {
  readonly host: string;
  readonly port: number;
  /** Null for plain HTTP. */
  readonly tls: TlsConfig | null;
  readonly headers: ResponseHeaders;
  /** Additional host names that a listener on loopback accepts, in lower case. */
  readonly hostNames: readonly string[];
  readonly limits: ListenerLimits;
  readonly forwardedFor: ForwardedFor;
}

/** All settings of a server. */
export interface ServerConfig {
  readonly listeners: readonly ListenerConfig[];
  readonly storage: StorageConfig;
  /** A file with the unseal key, for a server that starts unsealed; null if the operator provides it. */
  readonly unsealKeyFile: string | null;
  /** The file of the audit log; null for none. */
  readonly auditFile: string | null;
  /** The auth methods. No path of one is below the path of another. */
  readonly auth: readonly AuthMount[];
  /** Whether pages are served below `/ui/`. */
  readonly ui: boolean;
  readonly lease: LeaseLimits;
  readonly logLevel: LogLevel;
}

export const defaultListener: ListenerConfig = Object.freeze({
  host: '127.0.0.1',
  port: 8200,
  tls: null,
  headers: noResponseHeaders,
  hostNames: [],
  limits: defaultListenerLimits,
  forwardedFor: noForwardedFor,
});

const days32 = 32 * 86_400;

export const defaultServerConfig: ServerConfig = Object.freeze({
  listeners: [defaultListener],
  storage: memoryDriver.config({}),
  unsealKeyFile: null,
  auditFile: null,
  auth: [cloudMount()],
  ui: true,
  lease: { defaultTtl: days32, maxTtl: days32 },
  logLevel: 'info' as const,
});
