import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isGroupName,
  parseResourceId,
  sameName,
  sameResource,
  segmentsOf,
  typeOf,
} from '../../src/cloud/resource-id.js';

const subscription = '22222222-2222-4222-8222-222222222222';
const vm = `/subscriptions/${subscription}/resourceGroups/rg1/providers/Microsoft.Compute/virtualMachines/vm1`;

describe('resource ids', () => {
  it('have parts', () => {
    const id = parseResourceId(vm.toUpperCase())!;
    expect(typeOf(id)).toBe('MICROSOFT.COMPUTE/VIRTUALMACHINES');
    expect(sameResource(id, parseResourceId(vm)!)).toBe(true);
    expect(parseResourceId(`${vm}/extensions/x`)).toMatchObject({
      types: ['virtualMachines', 'extensions'],
      names: ['vm1', 'x'],
    });
  });

  it('differ in every part', () => {
    for (const other of [
      vm.replace('2222-2', '2222-3'),
      vm.replace('rg1', 'rg11'),
      vm.replace('Microsoft', 'Macrosoft'),
      vm.replace('virtualMachines', 'disks'),
      vm.replace('vm1', 'vm'),
      `${vm}/extensions/x`,
    ]) {
      expect(sameResource(parseResourceId(vm)!, parseResourceId(other) ?? parseResourceId(vm)!)).toBe(
        parseResourceId(other) === null,
      );
    }
  });

  it('read back from their segments', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_()-]{1,20}$/);
    const pair = fc.tuple(name, name);
    fc.assert(
      fc.property(name, name, fc.array(pair, { minLength: 1, maxLength: 3 }), (group, namespace, pairs) => {
        const text = `/${['subscriptions', subscription, 'resourceGroups', group, 'providers', namespace, ...pairs.flat()].join('/')}`;
        const id = parseResourceId(text)!;
        expect(`/${segmentsOf(id).join('/')}`).toBe(text);
      }),
    );
  });

  it.each([
    '',
    '/',
    vm.slice(1),
    `${vm}/`,
    `${vm}/extensions`,
    vm.replace('/providers', '//providers'),
    vm.replace('vm1', ''),
    vm.replace('vm1', '.'),
    vm.replace('vm1', '..'),
    vm.replace('vm1', 'vm%31'),
    vm.replace('vm1', 'vm 1'),
    vm.replace('vm1', 'vm\u00e9'),
    vm.replace('vm1', 'a'.repeat(261)),
    vm.replace('rg1', 'rg1.'),
    vm.replace(subscription, subscription.slice(1)),
    vm.replace('subscriptions', 'subscription'),
    `/subscriptions/${subscription}`,
    `/subscriptions/${subscription}/resourceGroups/rg1`,
    vm + '/a/b'.repeat(1_000),
  ])('do not look like %j', (text) => {
    expect(parseResourceId(text)).toBeNull();
  });

  it('have names that mean the same in any case, but not letters that only look alike', () => {
    expect(sameName('RG-ö', 'rg-Ö')).toBe(true);
    const others = ['bac\u212aend', 'backendſ', 'backend', 'BACKEND\u0130'];
    expect(others.filter((name) => sameName(name, 'backend'))).toEqual(['backend']);
    expect(sameName('backendſ', 'backends')).toBe(false);
    expect(sameName('stra\u1e9ee', 'straße')).toBe(false);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aBc-_.09') }), (name) =>
        sameName(name.toUpperCase(), name.toLowerCase()),
      ),
    );
  });

  it('hold groups of any script, but nothing that ends in a full stop', () => {
    expect(['größe', '(a)', 'a.b', '_', '東京1'].every(isGroupName)).toBe(true);
    expect(['', '.', '..', 'a.', 'a b', 'a/b', 'a'.repeat(91), 'a\n'].some(isGroupName)).toBe(false);
  });
});
