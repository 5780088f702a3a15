import { describe, expect, it } from 'vitest';
import { routesOf } from '../../src/http/route-table.js';
import { createTestAgent } from '../support/test-agent.js';

describe('routes', () => {
  it('take POST wherever they take PUT, and the other way round', async () => {
    const { app } = await createTestAgent();
    await app.ready();
    const taking = (wanted: string): readonly string[] =>
      routesOf(app)
        .filter(({ method }) => method === wanted)
        .map(({ url }) => url)
        .toSorted();
    expect(taking('PUT').length).toBeGreaterThan(5);
    expect(taking('POST')).toEqual(taking('PUT'));
  });
});
