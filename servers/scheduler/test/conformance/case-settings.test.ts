import { describe, expect, it } from 'vitest';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { applySettings } from './case-settings.js';

const base: AgentConfig = { ...defaultAgentConfig, enableDebug: true, port: 0, fill: { kind: 'nothing' } };

describe('the settings of a case', () => {
  it.each<[config: object, env: object, changed: object]>([
    [{}, {}, {}],
    [{ region: 'west' }, {}, { region: 'west' }],
    [{ enable_debug: false }, {}, { enableDebug: false }],
    [{ enable_debug: null }, {}, { enableDebug: null }],
    [{ region: null }, {}, {}],
    [{ bootstrap_expect: 3 }, {}, { bootstrapExpect: 3 }],
    [{ server: { bootstrap_expect: 3 } }, {}, { bootstrapExpect: 3 }],
    [{ 'acl.enabled': true }, {}, { acl: { enabled: true } }],
    [
      { http_api_response_headers: { A: 'b', C: 1 } },
      {},
      {
        responseHeaders: new Map([
          ['A', 'b'],
          ['C', '1'],
        ]),
      },
    ],
    [
      { http_max_conns_per_client: 3, 'limits.max_parameters': 5 },
      {},
      { http: { ...base.http, maxConnectionsPerClient: 3, maxParameters: 5 } },
    ],
    [{ region: 'west' }, { SCHEDULER_REGION: 'east', MY_SECRET: 'x' }, { region: 'east' }],
  ])('%j %j', (config, env, changed) => {
    expect(applySettings({ id: 'a', config: { ...config }, env: { ...env } }, base)).toEqual({
      ...base,
      ...changed,
    });
  });

  it('have to be settings of the server', () => {
    expect(() => applySettings({ id: 'a', config: { regoin: 'x' }, env: {} }, base)).toThrow(
      'a:1:2: regoin: there is no such setting: did you mean region?',
    );
    // Several settings end so.
    expect(() => applySettings({ id: 'a', config: { enabled: true }, env: {} }, base)).toThrow(
      'no such setting',
    );
  });
});
