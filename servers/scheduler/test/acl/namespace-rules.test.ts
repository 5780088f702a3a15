import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamespaceCapability } from '../../src/services/acl/capability.js';
import {
  createNamespaceRules,
  fitsPattern,
  type NamespaceGrant,
} from '../../src/services/acl/namespace-rules.js';

const give = (pattern: string, ...capabilities: NamespaceCapability[]): NamespaceGrant => ({
  pattern,
  denied: false,
  capabilities,
});
const deny = (pattern: string): NamespaceGrant => ({ pattern, denied: true, capabilities: [] });

const read = 'read-job';
const list = 'list-jobs';

describe('the rule for a namespace', () => {
  it.each<[what: string, grants: readonly NamespaceGrant[], namespace: string, allowed: boolean]>([
    ['none', [], 'default', false],
    ['its name', [give('default', read)], 'default', true],
    ['another name', [give('default', read)], 'apps', false],
    ['a longer name', [give('default', read)], 'default2', false],
    ['another capability', [give('default', list)], 'default', false],
    ['everything', [give('*', read)], 'anything', true],
    ['a pattern in front', [give('prod-*', read)], 'prod-api', true],
    ['a pattern that needs nothing more', [give('prod-*', read)], 'prod-', true],
    ['a pattern that does not fit', [give('prod-*', read)], 'production', false],
    ['a pattern behind', [give('*-api', read)], 'prod-api', true],
    ['a pattern around', [give('*od-*', read)], 'prod-api', true],
    ['its name before a pattern', [give('*', read), give('default', list)], 'default', false],
    ['its name before a denying pattern', [deny('*'), give('default', read)], 'default', true],
    ['a denied name in an allowing pattern', [give('*', read), deny('default')], 'default', false],
    ['the longer pattern', [give('*', read), deny('prod-*')], 'prod-api', false],
    ['the longer pattern, the other way round', [deny('*'), give('prod-*', read)], 'prod-api', true],
    ['the pattern with more letters, not more stars', [give('a*', list), give('****', read)], 'ab', false],
    ['two rules for one name', [give('default', list), give('default', read)], 'default', true],
    ['two rules, one of which denies', [give('default', read), deny('default')], 'default', false],
    ['two rules, the denying one first', [deny('default'), give('default', read)], 'default', false],
    ['two patterns of one rank', [give('a*', list), give('*b', read)], 'ab', true],
    ['two patterns of one rank, one of which denies', [deny('a*'), give('*b', read)], 'ab', false],
    ['a name that looks like a property', [], '__proto__', false],
  ])('%s', (_what, grants, namespace, allowed) => {
    const rules = createNamespaceRules(grants);
    expect(rules.allowsNamespace(read, namespace)).toBe(allowed);
    // What is remembered is what was decided.
    expect(rules.allowsNamespace(read, namespace)).toBe(allowed);
    expect(rules.namespacesWith(read)?.(namespace) ?? false).toBe(allowed);
  });

  it('takes any of several capabilities', () => {
    const rules = createNamespaceRules([give('default', 'register-job')]);
    expect(rules.allowsNamespace(['submit-job', 'register-job'], 'default')).toBe(true);
    expect(rules.allowsNamespace(['submit-job', 'purge-job'], 'default')).toBe(false);
  });

  it('knows whether a capability is given anywhere', () => {
    const rules = createNamespaceRules([give('default', list), deny('apps')]);
    expect(rules.namespacesWith(read)).toBeNull();
    expect(rules.namespacesWith(list)).not.toBeNull();
    expect(createNamespaceRules([give('apps', list), deny('apps')]).namespacesWith(list)).toBeNull();
  });

  it('shows the namespaces in which anything is allowed', () => {
    const rules = createNamespaceRules([give('default', list), deny('apps'), give('web-*', read)]);
    expect(['default', 'apps', 'web-1', 'other'].map((name) => rules.seesNamespace(name))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('stays correct for any number of namespaces', () => {
    const rules = createNamespaceRules([give('web-*', read)]);
    for (let at = 0; at < 3_000; at += 1) {
      expect(rules.allowsNamespace(read, `web-${at}`)).toBe(true);
      expect(rules.allowsNamespace(read, `api-${at}`)).toBe(false);
    }
  });
});

describe('a pattern', () => {
  it('matches what the equivalent regular expression matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (glob, name) => {
        const expression = new RegExp(`^${glob.replaceAll('*', '.*')}$`);
        expect(fitsPattern(glob, name)).toBe(expression.test(name));
      }),
      { numRuns: 2_000 },
    );
  });
});
