import type { Member } from '../membership/member.js';
import type { Membership } from '../membership/membership.js';

/**
 * Follows whether there are other servers of this region, alive, to share the work with. The function returned tells.
 *
 * @param changed called when the answer has changed.
 */
export function followPeers(membership: Membership, changed: () => void): () => boolean {
  let hasPeers = false;

  async function look(): Promise<void> {
    const own = membership.self();
    const found = (await membership.members()).some((member) => isPeer(member, own));
    if (found === hasPeers) return;
    hasPeers = found;
    changed();
  }

  // Who the members are is not known for a moment now and then; the next event tells.
  const retry = (): void => void look().catch(() => undefined);
  membership.subscribe(retry);
  retry();
  return () => hasPeers;
}

function isPeer(member: Member, own: Member): boolean {
  const isServer = member.Tags['role'] === own.Tags['role'] && member.Tags['region'] === own.Tags['region'];
  return member.Name !== own.Name && member.Status === 'alive' && isServer;
}
