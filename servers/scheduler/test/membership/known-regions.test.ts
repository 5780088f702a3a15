import { describe, expect, it } from 'vitest';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { knownRegions } from '../../src/services/membership/known-regions.js';
import { noMember, type Member } from '@tamis/scheduler-model/wire/member.js';

const server = (region: string, more: Partial<Member> = {}): Member => ({
  ...noMember,
  Name: `srv.${region}`,
  Status: 'alive',
  Tags: { role: 'scheduler', region },
  ...more,
});
const known = (members: readonly Member[]): Promise<readonly string[]> =>
  knownRegions(['global', 'west'], { members: async () => members });

describe('the regions that are known', () => {
  it('are those of the configuration and of the servers that are alive, each once and in order', async () => {
    expect(await known([server('east'), server('east'), server('global'), server('west')])).toEqual([
      'east',
      'global',
      'west',
    ]);
  });

  it.each<[what: string, member: Member]>([
    ['has failed', server('east', { Status: 'failed' })],
    ['has left', server('east', { Status: 'left' })],
    ['is no server of this kind', server('east', { Tags: { role: 'web', region: 'east' } })],
    ['does not say its region', server('east', { Tags: { role: 'scheduler' } })],
    ['has an empty region', server('')],
    ['has a region with a line break', server('a\nb')],
    ['has all regions', server('*')],
    ['has a region of a kilobyte', server('x'.repeat(1_024))],
  ])('are not learnt from one that %s', async (_what, member) => {
    expect(await known([member])).toEqual(['global', 'west']);
  });

  it('are those of the configuration while the gossip is silent', async () => {
    const members = (): Promise<never> => Promise.reject(new SchedulerError('no-members', 'no answer'));
    expect(await knownRegions(['global'], { members })).toEqual(['global']);
  });
});
