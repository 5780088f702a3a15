import { converted, duration, setting, someText, type ValuesOf } from '@tamis/config';
import { connectionOf, endpointList, keyPrefix, leaseBounds, unpaired } from '@tamis/etcd/settings';
import { defineStorageDriver, type StorageConfig, type StoreMistake } from './driver.js';
import type { EtcdPlace } from './open-etcd.js';

/** Lease time in whole seconds. */
const leaseTtl = converted(
  duration({ seconds: true, min: nanoseconds(leaseBounds.min), max: nanoseconds(leaseBounds.max) }),
  (time) => Math.ceil(Number(time) / 1e9),
);

function nanoseconds(seconds: number): bigint {
  return BigInt(seconds) * 1_000_000_000n;
}

const settings = {
  endpoints: setting(
    'storage.etcd.endpoints',
    endpointList,
    [],
    '--etcd-endpoint URL',
    'a member of the etcd cluster that stores the state of several servers; https unless on loopback',
  ),
  prefix: setting(
    'storage.etcd.prefix',
    keyPrefix('/scheduler/global/'),
    null,
    '--etcd-prefix PATH',
    'the prefix of the keys of the state',
    { displayDefault: '/scheduler/REGION/' },
  ),
  leaseTtl: setting(
    'storage.etcd.lease_ttl',
    leaseTtl,
    5,
    '--etcd-lease-ttl TIME',
    'time after which a leader without a heartbeat is replaced; whole seconds',
    { displayDefault: '5s' },
  ),
  tls: {
    caFile: setting(
      'storage.etcd.tls.ca_file',
      someText(),
      null,
      '--etcd-ca-file FILE',
      'the authorities for certificates of etcd, PEM',
    ),
    certificateFile: setting(
      'storage.etcd.tls.cert_file',
      someText(),
      null,
      '--etcd-cert-file FILE',
      'certificate for etcd, PEM',
    ),
    keyFile: setting('storage.etcd.tls.key_file', someText(), null, '--etcd-key-file FILE', 'its key, PEM'),
  },
  user: {
    name: setting('storage.etcd.username', someText(), null, '--etcd-username NAME', 'user of etcd'),
    passwordFile: setting(
      'storage.etcd.password_file',
      someText(),
      null,
      '--etcd-password-file FILE',
      'file with the password of that user',
    ),
  },
};

type Values = ValuesOf<typeof settings>;

/** Stores the state in etcd, where several servers share it and elect their leader. */
export const etcdDriver = defineStorageDriver({
  name: 'etcd',
  isPersistent: true,
  isShared: true,
  settings,
  mistakes,
  async open(values, { clock, region }) {
    // Loaded on demand, because the etcd client is large.
    const { openEtcd } = await import('./open-etcd.js');
    return openEtcd(placeOf(values, region), clock);
  },
});

/** Returns the configured location in etcd; null if the state is stored elsewhere. */
export function etcdPlaceOf(config: {
  readonly storage: StorageConfig;
  readonly region: string;
}): EtcdPlace | null {
  const { driver, values } = config.storage;
  // The values were created from the driver's own settings.
  return driver === etcdDriver ? placeOf(values as Values, config.region) : null;
}

function placeOf({ endpoints, prefix, leaseTtl, tls, user }: Values, region: string): EtcdPlace {
  const { name: username, passwordFile } = user;
  return {
    connection: connectionOf({ endpoints, ...tls, username, passwordFile }),
    prefix: prefix ?? `/scheduler/${region}/`,
    leaseTtl,
  };
}

function mistakes(values: Values, has: (path: string) => boolean): readonly StoreMistake[] {
  if (values.endpoints.length === 0) {
    return [[settings.endpoints.path, 'is missing: name the members of etcd']];
  }
  const isSecure = values.endpoints.some((url) => url.startsWith('https:'));
  const tls = Object.values(settings.tls).find(({ path }) => has(path));
  const found: StoreMistake[] = [];
  if (tls !== undefined && !isSecure)
    found.push([tls.path, 'no member is reached by https: it would not be used']);
  const halves = unpaired<{ readonly path: string }>(pairs, ({ path }) => has(path));
  return [
    ...found,
    ...halves.map(({ there, missing }) => [there.path, `needs ${missing.path} too`] as const),
  ];
}

/** Settings that must be given together. */
const pairs = [
  [settings.tls.certificateFile, settings.tls.keyFile],
  [settings.user.name, settings.user.passwordFile],
] as const;
