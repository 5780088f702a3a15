import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Member } from '@tamis/scheduler-model/wire/member.js';
import type { Membership } from './membership.js';

/** Names of regions stand in addresses and lines of text; what the gossip brings is anybody's. */
const regionName = /^[^\s*\p{Cc}]{1,128}$/u;

/**
 * The regions that are configured, and those whose servers the gossip knows to be alive, in order. Of the latter this
 * agent knows the names only: requests carry tokens, and whoever gossips could name an address, so requests go to
 * those that an operator has written down.
 */
export async function knownRegions(
  configured: readonly string[],
  membership: Pick<Membership, 'members'>,
): Promise<readonly string[]> {
  const received = (await membersOrNone(membership)).flatMap(({ Status, Tags }) => {
    const region = Tags['role'] === 'scheduler' && Status === 'alive' ? (Tags['region'] ?? '') : '';
    return regionName.test(region) ? [region] : [];
  });
  return [...new Set([...configured, ...received])].sort();
}

async function membersOrNone(membership: Pick<Membership, 'members'>): Promise<readonly Member[]> {
  try {
    return await membership.members();
  } catch (error) {
    if (error instanceof SchedulerError && error.code === 'no-members') return [];
    throw error;
  }
}
