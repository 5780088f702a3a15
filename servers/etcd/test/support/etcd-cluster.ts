import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection, type EtcdSettings } from '../../src/index.js';
import { methods } from '../../src/protocol/methods.js';
import { createEtcdProcess, type EtcdProcess } from './etcd-process.js';

/** Certificates of a cluster whose members are reached by TLS only, and whose clients must show one. */
export interface ClusterCertificates {
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface ClusterOptions {
  /** Default 1. */
  readonly members?: number;
  /** Bytes of the database after which puts are refused. */
  readonly quota?: number;
  readonly tls?: ClusterCertificates;
  /** Further flags of each member. */
  readonly flags?: readonly string[];
}

export interface ClusterMember extends EtcdProcess {
  readonly url: string;
}

/** A cluster of real members on loopback, with its data in a folder of its own. */
export interface Cluster {
  readonly members: readonly ClusterMember[];
  readonly urls: readonly string[];
  /** Connects to all members, or with other settings. */
  connect(settings?: Partial<EtcdSettings>): Connection;
  /** The output of `etcdctl` for these arguments, as a user `name:password` and with an input if given. */
  control(args: readonly string[], user?: string, input?: string): string;
  /** Kills all members and restarts them from a snapshot, as an operator does after a disaster. */
  restore(snapshotFile: string): Promise<void>;
  /** Kills all members and removes what they have stored. */
  stop(): Promise<void>;
}

/** Starts a cluster and waits until it has a leader. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-test-'));
  const members = await membersOf(folder, options);
  const urls = members.map(({ url }) => url);
  const opened: Connection[] = [];
  const tlsSettings = options.tls === undefined ? {} : { tls: options.tls };
  const cluster: Cluster = {
    members,
    urls,
    connect(settings) {
      const connection = connect({ endpoints: urls, ...tlsSettings, ...settings });
      opened.push(connection);
      return connection;
    },
    control: (args, user, input) => control(urls, args, options.tls, { user, input }),
    async restore(snapshotFile) {
      await Promise.all(members.map((member) => member.kill()));
      members.forEach((member) => restoreMember(member, snapshotFile));
      await Promise.all(members.map((member) => member.start()));
    },
    async stop() {
      for (const connection of opened) connection.close();
      await Promise.all(members.map((member) => member.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(members.map((member) => member.start()));
    await cluster.connect().call(methods.status, {}, { timeout: 30_000 });
  } catch (error) {
    const logs = members.map((member) => member.log()).join('\n');
    await cluster.stop();
    throw new Error(`etcd did not start:\n${logs}`, { cause: error });
  }
  return cluster;
}

/** The data directory of a member, and its arguments to restart from a snapshot. */
interface RestorableMember extends ClusterMember {
  readonly dataFolder: string;
  readonly membership: readonly string[];
}

function restoreMember({ dataFolder, membership }: RestorableMember, snapshotFile: string): void {
  rmSync(dataFolder, { recursive: true });
  control([], ['snapshot', 'restore', snapshotFile, '--data-dir', dataFolder, ...membership], undefined, {});
}

async function membersOf(folder: string, options: ClusterOptions): Promise<RestorableMember[]> {
  const count = options.members ?? 1;
  const ports = await freePorts(2 * count);
  const peers = Array.from({ length: count }, (_, at) => `http://127.0.0.1:${String(ports[count + at])}`);
  return peers.map((peer, at) => {
    const port = String(ports[at]);
    const [listen, url] =
      options.tls === undefined
        ? [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}`]
        : [`https://127.0.0.1:${port}`, `https://localhost:${port}`];
    const dataFolder = join(folder, `m${at}`);
    const membership = [
      ...['--name', `m${at}`, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', peers.map((other, n) => `m${n}=${other}`).join(',')],
    ];
    const args = [
      ...['--data-dir', dataFolder, '--logger', 'zap', '--log-level', 'warn', ...membership],
      ...['--listen-client-urls', listen, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peer],
      ...(options.quota === undefined ? [] : ['--quota-backend-bytes', String(options.quota)]),
      ...(options.tls === undefined ? [] : tlsFlags(options.tls)),
      ...(options.flags ?? []),
    ];
    return { url, dataFolder, membership, ...createEtcdProcess(args) };
  });
}

function tlsFlags({ caFile, certificateFile, keyFile }: ClusterCertificates): string[] {
  return [
    ...['--cert-file', certificateFile, '--key-file', keyFile],
    ...['--client-cert-auth', '--trusted-ca-file', caFile],
  ];
}

function control(
  urls: readonly string[],
  args: readonly string[],
  tls: ClusterCertificates | undefined,
  { user, input }: { readonly user?: string | undefined; readonly input?: string | undefined },
): string {
  const flags = [
    ...(urls.length === 0 ? [] : [`--endpoints=${urls.join(',')}`]),
    ...(tls === undefined
      ? []
      : [`--cacert=${tls.caFile}`, `--cert=${tls.certificateFile}`, `--key=${tls.keyFile}`]),
    ...(user === undefined ? [] : [`--user=${user}`]),
  ];
  const env = { ...process.env, ETCDCTL_API: '3' };
  const options = { env, encoding: 'utf8', ...(input === undefined ? {} : { input }) } as const;
  const { status, stdout, stderr } = spawnSync('etcdctl', [...flags, ...args], options);
  if (status !== 0) throw new Error(`etcdctl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Unused ports: all are held until the last is found, so that they are distinct. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
