/** The status of a member, as far as the others know. */
export type MemberStatus = 'none' | 'alive' | 'leaving' | 'left' | 'failed';

/** An agent of the gossip pool. */
export interface Member {
  /** `<node>.<region>`. */
  readonly Name: string;
  /** An IP address. */
  readonly Addr: string;
  /** The port of its gossip. */
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

/** The versions of the gossip that Serf speaks today. */
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
