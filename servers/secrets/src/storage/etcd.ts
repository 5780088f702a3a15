import { bool, checked, int, required, someText, text, type Block, type Fields } from '@tamis/config';
import { connectionOf, endpointList, keyPrefix, leaseBounds, unpaired } from '@tamis/etcd/settings';
import { isLoopbackAddress } from '@tamis/http';
import { defineStorageDriver } from './driver.js';
import type { EtcdPlace } from './etcd-place.js';

/** An address: host and port. */
const address = checked(
  text(),
  (written) => parseAddress(written) !== null,
  'expected an address with its port, such as "10.0.0.1:8201"',
);

const defaultPrefix = '/secrets/';
const defaultPeerAddress = '127.0.0.1:8201';

const fields = {
  endpoints: required(endpointList),
  prefix: keyPrefix(defaultPrefix),
  /** Time after which a silent active server is replaced, in seconds. */
  lease_ttl: int(leaseBounds),
  ca_file: someText(),
  cert_file: someText(),
  key_file: someText(),
  username: someText(),
  password_file: someText(),
  peer_address: address,
  peer_advertise_address: address,
  peer_cert_file: someText(),
  peer_key_file: someText(),
  peer_ca_file: someText(),
  api_address: someText(),
  performance_standby: bool(),
} satisfies Fields;

type Settings = Block<typeof fields>;

/** The driver `etcd`: several servers share a store, and one of them is active at a time. */
export const etcdDriver = defineStorageDriver({
  name: 'etcd',
  aliases: [],
  fields,
  check,
  place: (settings) => `etcd ${settings.endpoints.join(', ')} below ${settings.prefix ?? defaultPrefix}`,
  async open(settings, context) {
    // Loaded on demand: the etcd client is large.
    const { openEtcdStore } = await import('./shared-store.js');
    return openEtcdStore(placeOf(settings), context);
  },
});

function placeOf(settings: Settings): EtcdPlace {
  const { endpoints, ca_file, cert_file, key_file, username, password_file } = settings;
  const { peer_cert_file: certFile, peer_key_file: keyFile, peer_ca_file: caFile } = settings;
  const peerAddress = settings.peer_address ?? defaultPeerAddress;
  const isSecure = certFile !== undefined && keyFile !== undefined && caFile !== undefined;
  return {
    connection: connectionOf({
      ...{ endpoints, username, passwordFile: password_file },
      ...{ caFile: ca_file, certificateFile: cert_file, keyFile: key_file },
    }),
    prefix: settings.prefix ?? defaultPrefix,
    leaseTtl: settings.lease_ttl ?? 5,
    peer: {
      listen: parseAddress(peerAddress) ?? { host: '127.0.0.1', port: 0 },
      address: settings.peer_advertise_address ?? peerAddress,
      api: settings.api_address ?? '',
      tls: isSecure ? { certFile, keyFile, caFile } : null,
    },
    isPerformanceStandby: settings.performance_standby ?? false,
  };
}

/** Settings that must be set together. */
const pairs = [
  ['cert_file', 'key_file'],
  ['username', 'password_file'],
  ['peer_cert_file', 'peer_key_file'],
  ['peer_cert_file', 'peer_ca_file'],
] as const;

function check(settings: Settings): string | null {
  const [half] = unpaired<keyof Settings>(pairs, (one) => settings[one] !== undefined);
  if (half !== undefined) return `${half.there} needs ${half.missing} too`;
  const listen = settings.peer_address ?? defaultPeerAddress;
  const advertised = settings.peer_advertise_address ?? listen;
  const hosts = [listen, advertised].map((each) => parseAddress(each)?.host ?? '');
  if (hosts.some((host) => !isLoopbackAddress(host)) && settings.peer_cert_file === undefined) {
    return 'peer_address is not on loopback: it needs peer_cert_file, peer_key_file and peer_ca_file, for tokens of users go that way';
  }
  if (hosts[1] === '0.0.0.0' || hosts[1] === '::') {
    return 'peer_advertise_address is missing: others cannot reach the address of all interfaces';
  }
  return null;
}

function parseAddress(written: string): { readonly host: string; readonly port: number } | null {
  const [, bracketed, plain, digits = ''] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(written) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || Number(digits) > 65_535 ? null : { host, port: Number(digits) };
}
