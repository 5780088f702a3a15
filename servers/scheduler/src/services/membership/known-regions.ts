import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Member } from '@tamis/scheduler-model/wire/member.js';
import type { Membership } from './membership.js';

/** Valid names of regions. Names from the gossip are untrusted, and they appear in addresses and lines of output. */
const regionName = /^[^\s*\p{Cc}]{1,128}$/u;

/**
 * Returns the configured regions and the regions of live servers in the gossip, sorted. The latter are only listed: requests
 * contain tokens and any member of the gossip could announce an address, so requests are sent only to configured addresses.
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
