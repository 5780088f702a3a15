import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudBlock } from '../stressed-server.js';
import { startServerProcess, type ServerProcess } from '../server-process.js';
import type { RegionNeeds } from './region.js';

/** A server in a process of its own, at the same addresses after each start. */
export interface ClusterServer {
  readonly address: string;
  /** Its address for the others: host and port. */
  readonly peerAddress: string;
  readonly auditFile: string;
  /** Its configuration. */
  readonly file: string;
  /** The process that was started last; 0 before. */
  pid(): number;
  /** Starts it, unsealed once there is a key, and waits until it responds. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM, and its end. */
  stop(): Promise<void>;
  freeze(): void;
  thaw(): void;
  output(): string;
}

export interface ClusterServerOptions extends Pick<RegionNeeds, 'cloud' | 'peers' | 'performanceStandby'> {
  readonly main: string;
  /** For its own files. */
  readonly home: string;
  readonly keyFile: string;
  /** URLs of the members of etcd. */
  readonly etcd: readonly string[];
  readonly leaseTtl: number;
  readonly ports: { readonly http: number; readonly peer: number };
  readonly env: Readonly<Record<string, string>>;
}

export function createClusterServer(options: ClusterServerOptions): ClusterServer {
  const { main, home, keyFile, ports, peers } = options;
  const address = `http://127.0.0.1:${ports.http}`;
  const peerAddress = `${peers?.host ?? '127.0.0.1'}:${ports.peer}`;
  const auditFile = join(home, 'audit.log');
  const file = join(home, 'server.hcl');
  writeFileSync(file, configOf(options, { address, peerAddress, auditFile }));
  let process: ServerProcess | null = null;
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    if (process !== null) globalThis.process.kill(process.pid, name);
  };
  return {
    ...{ address, peerAddress, auditFile, file },
    pid: () => process?.pid ?? 0,
    async start() {
      const env = { SECRETS_UNSEAL_KEY_FILE: keyFile, ...options.env };
      process = startServerProcess(main, ['--config', file], env);
      if ((await process.listening) === null) throw new Error(`no server: ${process.output()}`);
    },
    async kill() {
      await process?.kill();
    },
    async stop() {
      process?.signal('SIGTERM');
      await process?.ended;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    output: () => process?.output() ?? '',
  };
}

function configOf(
  { etcd, leaseTtl, ports, cloud, peers, performanceStandby = false }: ClusterServerOptions,
  own: Pick<ClusterServer, 'address' | 'peerAddress' | 'auditFile'>,
): string {
  const mount = `path = "cloud"  max_tokens_per_identity = 0`;
  const text = (value: unknown): string => JSON.stringify(value);
  return `storage "etcd" {
  endpoints    = ${text(etcd)}
  peer_address = ${text(own.peerAddress)}
  api_address  = ${text(own.address)}
  lease_ttl    = ${leaseTtl}
  performance_standby = ${performanceStandby}
${
  peers === undefined
    ? ''
    : `  peer_cert_file = ${text(peers.certificateFile)}
  peer_key_file  = ${text(peers.keyFile)}
  peer_ca_file   = ${text(peers.caFile)}
`
}}
listener "tcp" { address = "127.0.0.1:${ports.http}"  tls_disable = true  max_connections_per_client = 0 }
audit "file" { path = ${text(own.auditFile)} }
${cloud === undefined ? `auth "cloud" { ${mount} }` : cloudBlock(cloud, mount)}
`;
}
