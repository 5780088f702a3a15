import type { Member } from '@tamis/scheduler-model/wire/member.js';
import { tableLines, type Column } from '../terminal/table.js';
import { writeResponse, type Session } from '../session.js';

/** `server members` */
export async function printMembers(session: Session): Promise<void> {
  const { api, err, isJson, layout } = session;
  const [{ body }, { body: leader }] = await Promise.all([
    api.get<{ readonly Members: readonly Member[] | null }>('/v1/agent/members'),
    api.get<string>('/v1/status/leader'),
  ]);
  await writeResponse(session, { ...body, Leader: leader }, () =>
    tableLines(memberColumns(leader), body.Members ?? [], layout),
  );
  if (leader === '' && !isJson) await err.write('There is no leader: writes wait, and then fail.\n');
}

function memberColumns(leader: string): readonly Column<Member>[] {
  return [
    { title: 'NAME', cell: ({ Name }) => Name, cut: 'middle' },
    {
      title: 'ADDRESS',
      cell: ({ Addr, Port }) => (Addr.includes(':') ? `[${Addr}]:${Port}` : `${Addr}:${Port}`),
    },
    { title: 'STATUS', cell: ({ Status }) => Status, isStatus: true },
    { title: 'LEADER', cell: ({ Tags }) => (leader !== '' && rpcAddressOf(Tags) === leader ? 'yes' : '') },
    { title: 'VERSION', cell: ({ Tags }) => Tags['build'] ?? '', isOptional: true },
    { title: 'DATACENTER', cell: ({ Tags }) => Tags['dc'] ?? '', isOptional: true },
    { title: 'REGION', cell: ({ Tags }) => Tags['region'] ?? '', isOptional: true },
  ];
}

function rpcAddressOf(tags: Member['Tags']): string {
  const host = tags['rpc_addr'] ?? '';
  return `${host.includes(':') ? `[${host}]` : host}:${tags['port'] ?? ''}`;
}
