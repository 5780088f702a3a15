import { Server } from 'node:net';
import { acceptQueue } from '@tamis/http';
import { afterEach, expect, it, vi } from 'vitest';
import { createAgents } from '../support/agents.js';

const agents = createAgents();
afterEach(() => agents.close());

it('a crowd that comes at once finds room on every port of an agent', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  await agents.server();
  const rooms = listen.mock.calls.map(([options]) => (options as { readonly backlog?: number }).backlog);
  listen.mockRestore();
  // For clients, for other agents, for gossip.
  expect(rooms).toEqual([acceptQueue, acceptQueue, acceptQueue]);
});
