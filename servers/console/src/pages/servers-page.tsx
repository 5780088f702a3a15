import type { Member } from '@tamis/scheduler-model/wire/member.js';
import { FailureNotice } from '../app/failure-notice.js';
import { Facts, Section } from '../detail/section.js';
import { useInterval } from '../live/use-interval.js';
import { ServerLine } from '../overview/server-line.js';
import type { Column } from '../table/column.js';
import { DataTable } from '../table/data-table.js';
import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { Status } from '../text/status.js';

/** Polling interval for the health of servers, in ms. */
const beat = 10_000;

interface MembersResponse {
  readonly Members: readonly Member[] | null;
}

/** The properties of an agent that are shown. */
interface AgentSelf {
  readonly member: { readonly Name: string };
  readonly stats: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Returns the address of a member for other agents. */
function rpcAddress({ Addr, Tags }: Member): string {
  return `${Tags['rpc_addr'] ?? Addr}:${Tags['port'] ?? ''}`;
}

/** Shows the servers: the leader, the members, and the lag of the connected agent. */
export function ServersPage() {
  return (
    <div class="detail">
      <h1>Servers</h1>
      <ServerLine />
      <Section title="Members">
        <Members />
      </Section>
      <Section title="This agent">
        <ThisAgent />
      </Section>
    </div>
  );
}

function Members() {
  const { value, failure } = useInterval<MembersResponse>('/v1/agent/members', beat);
  const leader = useInterval<string>('/v1/status/leader', beat);
  const members = value?.Members ?? [];
  const columns: readonly Column<Member>[] = [
    {
      title: 'Name',
      width: 'minmax(18ch, 2fr)',
      render: (member) => (
        <>
          <UntrustedText text={member.Name} />
          {leader.value === rpcAddress(member) && <strong class="good"> leader</strong>}
        </>
      ),
    },
    { title: 'Status', width: '11ch', render: (member) => <Status status={member.Status} /> },
    {
      title: 'Address',
      width: 'minmax(18ch, 1fr)',
      render: rpcAddress,
      from: 600,
    },
    {
      title: 'Datacenter',
      width: '12ch',
      render: ({ Tags }) => Tags['dc'],
      from: 900,
    },
    {
      title: 'Region',
      width: '12ch',
      render: ({ Tags }) => Tags['region'],
      from: 900,
    },
    {
      title: 'Version',
      width: '12ch',
      render: ({ Tags }) => Tags['build'],
      from: 900,
    },
  ];
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} what="the members" right="node read" />}
      {value !== null && (
        <DataTable label="Members" columns={columns} rows={members} keyOf={({ Name }) => Name} />
      )}
    </>
  );
}

function ThisAgent() {
  const { value, failure } = useInterval<AgentSelf>('/v1/agent/self', beat);
  const { raft = {}, runtime = {}, client = {} } = value?.stats ?? {};
  const lag = Number(raft['commit_index']) - Number(raft['applied_index']);
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} what="this agent" right="agent read" />}
      {value !== null && (
        <Facts
          of={{
            Name: value.member.Name,
            Role: raft['state'],
            'Last write that it has': raft['applied_index'],
            'Log index lag': Number.isFinite(lag) ? counted(lag, 'write') : null,
            'Last contact to the leader': raft['last_contact'],
            'Runs on': runtime['version'],
            'Allocations of its client': client['num_allocations'],
          }}
        />
      )}
    </>
  );
}
