import { describe, expect, it } from 'vitest';
import { accessOfPolicies, fullAccess } from '../../src/services/acl/access.js';
import { readPolicyRules } from '../../src/services/acl/policy-rules.js';

const accessOf = (...rules: readonly string[]) => accessOfPolicies(rules.map(readPolicyRules), [], 'key');

describe('the rights of several policies', () => {
  it.each<[what: string, rules: readonly string[], read: boolean, write: boolean]>([
    ['none', [], false, false],
    ['another kind', ['agent { policy = "write" }'], false, false],
    ['read', ['node { policy = "read" }'], true, false],
    ['write, which is read too', ['node { policy = "write" }'], true, true],
    ['read and write', ['node { policy = "read" }', 'node { policy = "write" }'], true, true],
    ['deny', ['node { policy = "deny" }'], false, false],
    ['write and deny', ['node { policy = "write" }', 'node { policy = "deny" }'], false, false],
  ])('%s', (_what, rules, read, write) => {
    const access = accessOf(...rules);
    expect(access.node('read')).toBe(read);
    expect(access.node('write')).toBe(write);
  });

  it('keep nodes, agents and the operator apart', () => {
    const access = accessOf('agent { policy = "read" }', 'operator { policy = "write" }');
    expect([access.node('read'), access.agent('read'), access.agent('write')]).toEqual([false, true, false]);
    expect([access.operator('read'), access.operator('write')]).toEqual([true, true]);
  });

  it('join the namespaces of all', () => {
    const access = accessOf(
      'namespace "a" { policy = "read" }',
      'namespace "a" { capabilities = ["submit-job"] }',
    );
    expect(access.allowsNamespace('read-job', 'a')).toBe(true);
    expect(access.allowsNamespace('submit-job', 'a')).toBe(true);
    expect(access.allowsNamespace('scale-job', 'a')).toBe(false);
  });

  it('never are those of management', () => {
    expect(accessOf('namespace "*" { policy = "write" }', 'operator { policy = "write" }').management).toBe(
      false,
    );
    expect(fullAccess.management).toBe(true);
    expect(fullAccess.namespacesWith('read-job')?.('anything')).toBe(true);
  });
});
