import { UntrustedText } from './untrusted-text.js';

/** Kind of each status, so that it has the same colour and symbol everywhere. Unlisted statuses are neutral. */
const tones: Readonly<Record<string, 'good' | 'busy' | 'bad' | 'over'>> = {
  running: 'good',
  ready: 'good',
  successful: 'good',
  eligible: 'good',
  alive: 'good',
  pending: 'busy',
  initializing: 'busy',
  blocked: 'busy',
  paused: 'busy',
  unblocking: 'busy',
  starting: 'busy',
  failed: 'bad',
  lost: 'bad',
  down: 'bad',
  disconnected: 'bad',
  ineligible: 'busy',
  dead: 'over',
  complete: 'over',
  cancelled: 'over',
  canceled: 'over',
  stop: 'over',
  evict: 'over',
  leaving: 'busy',
  left: 'over',
};

/** Returns the kind of a status. */
export function toneOf(status: string): string {
  return Object.hasOwn(tones, status) ? (tones[status] ?? 'plain') : 'plain';
}

/** Shows a status with its symbol, never by colour alone. */
export function Status({ status }: { readonly status: string }) {
  return (
    <span class={`status-word ${toneOf(status)}`}>
      <UntrustedText text={status} maxLength={40} />
    </span>
  );
}
