import { describe, expect, it } from 'vitest';
import { readRegions, RegionError } from '@tamis/scheduler-state/cluster/regions.js';

const read = (address: string): URL | undefined =>
  readRegions('global', new Map([['west', [address]]])).peersOf('west')?.[0];

describe('regions', () => {
  it('are all known by name, in order, and are forwarded to only if they differ from the own one', () => {
    const regions = readRegions(
      'global',
      new Map([
        ['west', ['https://a.example:4646', 'http://127.0.0.1:1']],
        ['east', ['https://b.example']],
        ['global', ['not looked at']],
      ]),
    );
    expect(regions.names).toEqual(['east', 'global', 'west']);
    expect(regions.peersOf('west')?.map(({ href }) => href)).toEqual([
      'https://a.example:4646/',
      'http://127.0.0.1:1/',
    ]);
    expect(regions.peersOf('global')).toBeNull();
    expect(regions.peersOf('nope')).toBeNull();
    expect(regions.peersOf('constructor')).toBeNull();
  });

  it.each([
    'https://10.0.0.1:4646',
    'http://localhost:1',
    'http://127.9.9.9',
    'http://[::1]:4646',
    'HTTPS://A.b/',
  ])('are reached at %s', (address) => expect(read(address)).toBeInstanceOf(URL));

  it.each<[address: string, problem: string]>([
    ['http://10.0.0.1:4646', 'would carry tokens over an open connection: use https'],
    ['http://west.example', 'would carry tokens over an open connection'],
    ['http://localhost.example', 'would carry tokens over an open connection'],
    ['10.0.0.1:4646', 'is not an address: write https://host:port'],
    ['', 'is not an address'],
    ['file:///etc/passwd', 'is not an address'],
    ['https://user:pass@west.example', 'holds a user name or a password'],
    ['https://west.example/v1', 'has more than a host and a port'],
    ['https://west.example/?region=west', 'has more than a host and a port'],
  ])('are refused at %s', (address, problem) => {
    expect(() => read(address)).toThrow(RegionError);
    expect(() => read(address)).toThrow(`of region "west" ${problem}`);
  });

  it('are refused without their passwords', () => {
    expect(() => read('https://user:hush@west.example')).toThrow(/^(?!.*hush)/s);
    expect(() => read('user:hush@west')).toThrow(/^(?!.*hush)/s);
  });
});
