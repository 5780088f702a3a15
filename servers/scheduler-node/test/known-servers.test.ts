import { describe, expect, it } from 'vitest';
import { createKnownServers } from '@tamis/scheduler-node/known-servers.js';
import { formatAddress, parseAddress } from '@tamis/scheduler-model/host/address.js';

function know(...addresses: readonly string[]) {
  const servers = createKnownServers({
    initial: () => addresses.map((address) => parseAddress(address, 4647)),
    ping: async ({ host }) => host,
  });
  return { servers, order: () => servers.inOrder().map(formatAddress) };
}

describe('the servers that a client knows', () => {
  it('are tried in order, starting with the last one that responded', () => {
    const { servers, order } = know('10.0.0.1', '10.0.0.2', '10.0.0.3:1');
    expect(order()).toEqual(['10.0.0.1:4647', '10.0.0.2:4647', '10.0.0.3:1']);
    servers.prefer(parseAddress('10.0.0.2', 4647));
    expect(order()).toEqual(['10.0.0.2:4647', '10.0.0.3:1', '10.0.0.1:4647']);
    servers.turnAway();
    expect(order()[0]).toBe('10.0.0.3:1');
    servers.turnAway();
    expect(order()[0]).toBe('10.0.0.1:4647');
  });

  it('stay as they are where there is no other', () => {
    const { servers, order } = know('10.0.0.1');
    servers.turnAway();
    expect(order()).toEqual(['10.0.0.1:4647']);
  });

  it('are the configured ones, and those that a server reports', async () => {
    const { servers, order } = know('10.0.0.1');
    servers.learn(['10.0.0.2:4647', '10.0.0.1:4647', 'no address:x']);
    expect(order()).toEqual(['10.0.0.1:4647', '10.0.0.2:4647']);
    servers.learn(['10.0.0.3:4647']);
    expect(order()).toEqual(['10.0.0.1:4647', '10.0.0.3:4647']);
    await servers.replace(['10.0.0.9']);
    expect(servers.addresses()).toEqual(['10.0.0.9:4647']);
  });
});
