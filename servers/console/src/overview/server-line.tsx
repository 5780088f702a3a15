import { useInterval } from '../live/use-interval.js';
import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** Polling interval for the health of servers, in ms: there are no events for it. */
const beat = 10_000;

type Health = Readonly<Record<string, { readonly ok: boolean; readonly message: string }>>;

/** Shows the state of the servers: the leader, their number, and the health of the connected agent. */
export function ServerLine() {
  const leader = useInterval<string>('/v1/status/leader', beat);
  const peers = useInterval<readonly string[]>('/v1/status/peers', beat);
  const health = useInterval<Health>('/v1/agent/health', beat);
  // An unhealthy agent responds with a failure status, whose body has the same form.
  const parts = Object.entries(health.value ?? readHealth(health.failure?.message ?? ''));
  return (
    <dl class="servers" aria-label="Servers">
      <div>
        <dt>Leader</dt>
        <dd>
          {leader.value === null && '…'}
          {leader.value === '' && <span class="status-word busy">being elected</span>}
          {leader.value !== null && leader.value !== '' && (
            <span class="status-word good">
              <UntrustedText text={leader.value} />
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>Region</dt>
        <dd>{peers.value === null ? '…' : counted(peers.value.length, 'server')}</dd>
      </div>
      {parts.map(([part, { ok, message }]) => (
        <div key={part}>
          <dt>This agent, as {part}</dt>
          <dd>
            <span class={`status-word ${ok ? 'good' : 'bad'}`}>
              <UntrustedText text={message} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function readHealth(message: string): Health {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null ? (value as Health) : {};
  } catch {
    return {};
  }
}
