import { useInterval } from '../live/use-interval.js';
import type { LiveState } from '../live/live.js';
import { useConsole } from './console.js';

/** Interval between queries for the leader, in ms. Without a leader a stream stays open, but sends nothing. */
const beat = 5_000;

interface Word {
  readonly text: string;
  readonly tone: string;
  readonly title: string;
}

const words: Readonly<Record<LiveState, Word>> = {
  idle: {
    text: 'Connected',
    tone: 'good',
    title: 'The agent responds; this page has no live data.',
  },
  connecting: { text: 'Connecting', tone: 'busy', title: 'The page is about to follow what changes.' },
  live: { text: 'Live', tone: 'good', title: 'Changes are shown as they happen.' },
  polling: {
    text: 'Live',
    tone: 'good',
    title: 'Changes are polled: this token has no event stream.',
  },
  'no-leader': {
    text: 'The leader is changing',
    tone: 'busy',
    title: 'The servers elect a leader. What is shown is what was known last; the page goes on by itself.',
  },
  unreachable: {
    text: 'No connection',
    tone: 'bad',
    title: 'The agent does not respond. What is shown is what was known last; the page goes on by itself.',
  },
};

/** Shows the state of the connection to the cluster in a word. */
export function ClusterState() {
  const { live } = useConsole();
  const { value: leader, failure } = useInterval<string>('/v1/status/leader', beat);
  const { text, tone, title } = words[stateOf(live.state.value, leader, failure?.kind === 'unreachable')];
  return (
    <p class="cluster-state" role="status" title={title}>
      <span class={`status-word ${tone}`}>{text}</span>
    </p>
  );
}

/**
 * Returns the state to show.
 *
 * @param leader address of the leader; empty if none exists, null if unknown.
 */
function stateOf(state: LiveState, leader: string | null, isUnreachable: boolean): LiveState {
  if (isUnreachable) return 'unreachable';
  if (leader === '') return 'no-leader';
  // After a leader was elected, the stream waits a moment before it reconnects.
  return leader !== null && state === 'no-leader' ? 'connecting' : state;
}
