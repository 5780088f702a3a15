/** Status of a member as other members know it. */
export type MemberStatus = 'none' | 'alive' | 'leaving' | 'left' | 'failed';

/** An agent of the gossip pool. */
export interface Member {
  /** Name in the form `<node>.<region>`. */
  readonly Name: string;
  /** IP address of the agent. */
  readonly Addr: string;
  /** Port of its gossip. */
  readonly Port: number;
  readonly Tags: Readonly<Record<string, string>>;
  readonly Status: MemberStatus;
  readonly ProtocolMin: number;
  readonly ProtocolMax: number;
  readonly ProtocolCur: number;
  readonly DelegateMin: number;
  readonly DelegateMax: number;
  readonly DelegateCur: number;
}

/** The current gossip protocol versions of Serf. */
export const gossipVersions = Object.freeze({
  ProtocolMin: 1,
  ProtocolMax: 5,
  ProtocolCur: 2,
  DelegateMin: 2,
  DelegateMax: 5,
  DelegateCur: 4,
});

/** The member entry of an agent without membership. */
export const noMember: Member = Object.freeze({
  Name: '',
  Addr: '',
  Port: 0,
  Tags: Object.freeze({}),
  Status: 'none',
  ProtocolMin: 0,
  ProtocolMax: 0,
  ProtocolCur: 0,
  DelegateMin: 0,
  DelegateMax: 0,
  DelegateCur: 0,
});
