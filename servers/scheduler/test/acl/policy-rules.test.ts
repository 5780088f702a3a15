import { describe, expect, it } from 'vitest';
import type { PolicyGrants } from '../../src/services/acl/access.js';
import { capabilitiesOf } from '../../src/services/acl/capability.js';
import { idleParts, readPolicyRules } from '../../src/services/acl/policy-rules.js';

const nothing: PolicyGrants = { namespaces: [], node: null, agent: null, operator: null };

describe('the rules of a policy', () => {
  it.each<[what: string, rules: string, grants: Partial<PolicyGrants>]>([
    ['nodes', 'node { policy = "read" }', { node: 'read' }],
    ['agents', 'agent { policy = "write" }', { agent: 'write' }],
    ['the operator', 'operator { policy = "deny" }', { operator: 'deny' }],
    [
      'a namespace',
      'namespace "default" { policy = "read" }',
      { namespaces: [{ pattern: 'default', denied: false, capabilities: capabilitiesOf.read }] },
    ],
    [
      'capabilities next to the policy',
      'namespace "default" {\n  policy = "read"\n  capabilities = ["submit-job"]\n}',
      {
        namespaces: [
          { pattern: 'default', denied: false, capabilities: [...capabilitiesOf.read, 'submit-job'] },
        ],
      },
    ],
    [
      'a denied namespace',
      'namespace "secret-*" { policy = "deny" }',
      { namespaces: [{ pattern: 'secret-*', denied: true, capabilities: [] }] },
    ],
    [
      'deny among the capabilities',
      'namespace "*" { capabilities = ["read-job", "deny"] }',
      { namespaces: [{ pattern: '*', denied: true, capabilities: ['read-job'] }] },
    ],
    [
      'one namespace twice',
      'namespace "a" { capabilities = ["read-job"] }\nnamespace "a" { capabilities = ["list-jobs"] }',
      {
        namespaces: [
          { pattern: 'a', denied: false, capabilities: ['read-job'] },
          { pattern: 'a', denied: false, capabilities: ['list-jobs'] },
        ],
      },
    ],
    [
      'JSON',
      '{"namespace": {"default": {"capabilities": ["read-job"]}}, "node": {"policy": "write"}}',
      { node: 'write', namespaces: [{ pattern: 'default', denied: false, capabilities: ['read-job'] }] },
    ],
    ['comments', '# who\nagent { # what\n  policy = "read"\n}', { agent: 'read' }],
  ])('%s', (_what, rules, grants) => expect(readPolicyRules(rules)).toEqual({ ...nothing, ...grants }));

  it.each<[what: string, rules: string, refusal: RegExp]>([
    [
      'nothing',
      '',
      /^Rules: expected at least one of namespace, node, agent, operator, node_pool, host_volume/,
    ],
    ['nothing in JSON', '{}', /^Rules: expected at least one of/],
    ['another kind', 'node { policy = "read" }\nsecrets { policy = "read" }', /^Rules:2:1: secrets: /],
    [
      'an unknown capability of node pools',
      'node_pool "a" { capabilities = ["sudo"] }',
      /node_pool "a"\.capabilities/,
    ],
    ['a policy of volumes that is none', 'host_volume "a" { policy = "scale" }', /host_volume "a"\.policy/],
    ['a policy of plugins that is none', 'plugin { policy = "write" }', /plugin\.policy: expected one of/],
    ['no policy for quotas', 'quota { }', /quota\.policy: is missing/],
    [
      'an unknown capability of variables',
      'namespace "a" { variables { path "x" { capabilities = ["sudo"] } } }',
      /path "x"\.capabilities/,
    ],
    ['variables without a path', 'namespace "a" { variables { policy = "read" } }', /variables\.policy/],
    [
      'another policy',
      'node { policy = "scale" }',
      /^Rules:1:\d+: node\.policy: expected one of "deny", "read", "write"/,
    ],
    ['no policy', 'agent {\n}', /^Rules:1:\d+: agent\.policy: is missing/],
    ['a slip of the pen', 'agent { polisy = "read" }', /polisy: .*did you mean policy\?/],
    ['a namespace without a name', 'namespace { policy = "read" }', /^Rules:1:\d+: namespace/],
    [
      'a namespace with a blank',
      'namespace "a b" { policy = "read" }',
      /^Rules:1:\d+: .*letters, digits, dashes and \*/,
    ],
    [
      'an unknown capability',
      'namespace "a" {\n  capabilities = ["sudo"]\n}',
      /^Rules:2:\d+: namespace "a"\.capabilities\[0\]: expected one of/,
    ],
    [
      'a policy of namespaces that is none',
      'namespace "a" { policy = "list" }',
      /^Rules:1:\d+: namespace "a"\.policy: expected one of/,
    ],
    [
      'a key of namespaces that is none',
      'namespace "a" { secrets { } }',
      /^Rules:1:\d+: namespace "a"\.secrets: /,
    ],
    ['a text for a block', 'node = "read"', /^Rules:1:\d+: node: expected a block/],
    ['a kind twice', 'node { policy = "read" }\nnode { policy = "write" }', /^Rules:2:\d+: node: /],
    ['broken HCL', 'node { policy = ', /^Rules:1:\d+: /],
    ['broken JSON', '{"node": ', /^Rules:1:\d+: /],
    ['too much', `node { policy = "read" } # ${'x'.repeat(70_000)}`, /^Rules: longer than 65536 characters$/],
  ])('refuse %s', (_what, rules, refusal) => {
    expect(() => readPolicyRules(rules)).toThrow(
      expect.objectContaining({
        code: 'bad-request',
        message: expect.stringMatching(refusal) as string,
      }) as Error,
    );
  });
});

describe('rules about what this server does not have', () => {
  const idle = `node_pool "*" { policy = "write" capabilities = ["delete"] }
node_pool "dev-*" { capabilities = ["deny"] }
host_volume "db" { policy = "read" capabilities = ["mount-readonly"] }
plugin { policy = "list" }
quota { policy = "read" }
namespace "default" {
  variables { path "nomad/*" { capabilities = ["list", "destroy"] } }
}`;

  it('give nothing and deny nothing', () => {
    expect(readPolicyRules(idle)).toEqual({
      ...nothing,
      namespaces: [{ pattern: 'default', denied: false, capabilities: [] }],
    });
    expect(readPolicyRules('quota { policy = "deny" }')).toEqual(nothing);
  });

  it('are reported, so that they are not mistaken for effective rules', () => {
    expect(idleParts(idle)).toEqual([
      'node_pool',
      'host_volume',
      'plugin',
      'quota',
      'namespace "default".variables',
    ]);
    expect(idleParts('node { policy = "read" }')).toEqual([]);
  });
});
