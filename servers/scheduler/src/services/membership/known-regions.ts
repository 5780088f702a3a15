import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Member } from '@tamis/scheduler-model/wire/member.js';
import type { Membership } from './membership.js';

/** Names of regions appear in addresses and output lines; names from the gossip are untrusted. */
const regionName = /^[^\s*\p{Cc}]{1,128}$/u;

/**
 * Returns the configured regions and those with live servers according to the gossip, sorted. The latter are known by name only.
 * Requests contain tokens and any gossip member could announce an address, so requests only go to configured addresses.
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
