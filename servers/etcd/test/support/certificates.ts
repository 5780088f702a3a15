import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterCertificates } from './etcd-cluster.js';

/**
 * An authority and one certificate for this machine's loopback, good for servers and clients, made by openssl. The client's name, for
 * etcd a user, is `client`.
 *
 * @param names that it is valid for in addition to loopback, such as `IP:10.0.0.1`.
 */
export function makeCertificates(folder: string, names: readonly string[] = []): ClusterCertificates {
  const file = (name: string): string => join(folder, name);
  openssl([
    'req',
    '-x509',
    ...newKey(file('ca.key')),
    '-subj',
    '/CN=authority',
    '-days',
    '2',
    '-out',
    file('ca.crt'),
  ]);
  openssl(['req', ...newKey(file('client.key')), '-subj', '/CN=client', '-out', file('client.csr')]);
  writeFileSync(
    file('extensions'),
    `subjectAltName=${['DNS:localhost', 'IP:127.0.0.1', ...names].join(',')}\nextendedKeyUsage=serverAuth,clientAuth\n`,
  );
  openssl([
    ...[
      'x509',
      '-req',
      '-in',
      file('client.csr'),
      '-CA',
      file('ca.crt'),
      '-CAkey',
      file('ca.key'),
      '-CAcreateserial',
    ],
    ...['-extfile', file('extensions'), '-days', '2', '-out', file('client.crt')],
  ]);
  return { caFile: file('ca.crt'), certificateFile: file('client.crt'), keyFile: file('client.key') };
}

function newKey(file: string): string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file];
}

function openssl(args: readonly string[]): void {
  const { error, status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (error !== undefined) throw new Error('openssl cannot be run', { cause: error });
  if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
}
