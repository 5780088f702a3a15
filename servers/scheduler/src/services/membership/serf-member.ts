import type { Member, MemberStatus } from '@tamis/scheduler-model/wire/member.js';
import { SerfError, textOf, type SerfBody } from './serf-connection.js';

const statuses: ReadonlySet<string> = new Set(['none', 'alive', 'leaving', 'left', 'failed']);

/** Parses a list of members from a Serf agent. @throws SerfError */
export function readSerfMembers(value: unknown): readonly Member[] {
  // Serf writes an empty list as nil.
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new SerfError('the Serf agent has sent no list of members');
  return value.map((item: unknown) => readMember(item));
}

function readMember(value: unknown): Member {
  if (typeof value !== 'object' || value === null) throw new SerfError('the Serf agent has sent no member');
  const member = value as SerfBody;
  const Status = textOf(member['Status']);
  const number = (name: string): number => {
    const field = member[name];
    return typeof field === 'number' ? field : 0;
  };
  return {
    Name: textOf(member['Name']),
    Addr: readAddress(member['Addr']),
    Port: number('Port'),
    Tags: readTags(member['Tags']),
    Status: statuses.has(Status) ? (Status as MemberStatus) : 'none',
    ProtocolMin: number('ProtocolMin'),
    ProtocolMax: number('ProtocolMax'),
    ProtocolCur: number('ProtocolCur'),
    DelegateMin: number('DelegateMin'),
    DelegateMax: number('DelegateMax'),
    DelegateCur: number('DelegateCur'),
  };
}

function readTags(value: unknown): Member['Tags'] {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, textOf(text)]));
}

/** Parses four bytes, or sixteen whose first twelve mark an IPv4 address. */
function readAddress(value: unknown): string {
  if (!(value instanceof Uint8Array)) return '';
  const bytes = [...value];
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0);
  if (isMapped && bytes[10] === 255 && bytes[11] === 255) return bytes.slice(12).join('.');
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  // The address parser returns the shortest form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
