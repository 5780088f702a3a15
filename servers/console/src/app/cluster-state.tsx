import type { Reading } from '../live/reading.js';
import { useConsole } from './console.js';
import type { LiveState } from '../live/live.js';

const words: Readonly<
  Record<LiveState, { readonly text: string; readonly tone: string; readonly title: string }>
> = {
  idle: { text: '', tone: 'plain', title: '' },
  connecting: { text: 'Connecting', tone: 'busy', title: 'The page is about to follow what changes.' },
  live: { text: 'Live', tone: 'good', title: 'Changes are shown as they happen.' },
  polling: {
    text: 'Live',
    tone: 'good',
    title: 'Changes are asked for: there is no stream of events for this token or page.',
  },
  'no-leader': {
    text: 'The leader is changing',
    tone: 'busy',
    title: 'The servers elect a leader. What is shown is what was known last; the page goes on by itself.',
  },
  unreachable: {
    text: 'No connection',
    tone: 'bad',
    title: 'The agent does not answer. What is shown is what was known last; the page goes on by itself.',
  },
};

/** How the page hears of the cluster, in a word. */
export function ClusterState() {
  const { live } = useConsole();
  const { text, tone, title } = words[live.state.value];
  return (
    <p class="cluster-state" role="status" title={title}>
      {text !== '' && <span class={`status-word ${tone}`}>{text}</span>}
    </p>
  );
}

/** Whether what is shown may be old, since it could not be read again. */
export function isOld({ value, failure }: Pick<Reading<unknown>, 'value' | 'failure'>): boolean {
  return value !== null && failure !== null;
}
