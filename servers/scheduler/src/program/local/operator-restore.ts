import type { ClusterMember } from '@tamis/etcd';

/** Placeholder names and addresses, used if the members of a cluster are unknown; the operator replaces them. */
const unknownMembers: readonly ClusterMember[] = [
  { name: 'MEMBER-1', peerUrls: ['https://HOST-1:2380'] },
  { name: 'MEMBER-2', peerUrls: ['https://HOST-2:2380'] },
  { name: 'MEMBER-3', peerUrls: ['https://HOST-3:2380'] },
];

/**
 * Returns the steps to replace the contents of the etcd members with a snapshot.
 *
 * @param members null if they do not respond.
 */
export function restoreSteps(file: string, members: readonly ClusterMember[] | null): string {
  const all = members ?? unknownMembers;
  const cluster = all.flatMap(({ name, peerUrls }) => peerUrls.map((url) => `${name}=${url}`)).join(',');
  const intro =
    members === null
      ? 'etcd did not respond, so replace the names in capitals with the names and addresses of your members.'
      : 'The members are named as they name themselves now.';
  return `${intro} Nothing has been changed yet.

1. Stop etcd on every machine: systemctl stop etcd. The servers may keep running: they serve stale reads in the meantime.
2. Copy ${file} to every machine, and restore it there into a new directory (etcdutl from etcd 3.5 on; before that
   ETCDCTL_API=3 etcdctl, with the same words):

${all.map((member) => restoreCommand(file, member, cluster)).join('\n')}

3. Put the new directory in the place of the old one: mv /var/lib/etcd /var/lib/etcd.old && mv /var/lib/etcd.new
   /var/lib/etcd && chown -R etcd:etcd /var/lib/etcd, or name it as --data-dir.
4. Start etcd on every machine: systemctl start etcd.
5. Look: scheduler operator servers. The index is that of the snapshot, in a history that begins now. Servers load the
   contents by themselves; restart those that were stopped. What was written after the snapshot is lost.
`;
}

function restoreCommand(file: string, { name, peerUrls }: ClusterMember, cluster: string): string {
  return `   etcdutl snapshot restore ${file} --name ${name} \\
     --initial-cluster ${cluster} \\
     --initial-advertise-peer-urls ${peerUrls.join(',')} --data-dir /var/lib/etcd.new`;
}
