import { describe, expect, it } from 'vitest';
import { describeAddress } from '@tamis/scheduler-model/host/network-address.js';

function describe4(address: string, netmask: string): Readonly<Record<string, string>> {
  return describeAddress({ address, netmask, family: 'IPv4', mac: '', internal: false, cidr: null });
}

function describe6(address: string, netmask: string): Readonly<Record<string, string>> {
  return describeAddress({
    address,
    netmask,
    family: 'IPv6',
    mac: '',
    internal: false,
    cidr: null,
    scopeid: 0,
  });
}

describe('an address of an interface', () => {
  it('formats all its known properties', () => {
    expect(describe4('127.0.0.1', '255.0.0.0')).toEqual({
      DialPacket: '"udp4" ""',
      DialStream: '"tcp4" ""',
      ListenPacket: '"udp4" ""',
      ListenStream: '"tcp4" ""',
      address: '127.0.0.1',
      binary: '01111111000000000000000000000001',
      broadcast: '127.255.255.255',
      first_usable: '127.0.0.1',
      hex: '7f000001',
      host: '127.0.0.1',
      last_usable: '127.255.255.254',
      mask_bits: '8',
      netmask: '255.0.0.0',
      network: '127.0.0.0/8',
      octets: '127 0 0 1',
      port: '0',
      size: '16777216',
      string: '127.0.0.1/8',
      type: 'IPv4',
      uint32: '2130706433',
    });
  });

  it.each([
    ['10.1.2.3', '255.255.255.255', '10.1.2.3', '10.1.2.3', '10.1.2.3', '1', '"tcp4" "10.1.2.3:0"'],
    ['10.1.2.3', '255.255.255.254', '10.1.2.2', '10.1.2.3', '10.1.2.3/31', '2', '"tcp4" ""'],
    ['10.1.2.3', '255.255.255.252', '10.1.2.1', '10.1.2.2', '10.1.2.3/30', '4', '"tcp4" ""'],
    ['0.0.0.0', '0.0.0.0', '0.0.0.1', '255.255.255.254', '0.0.0.0/0', '4294967296', '"tcp4" ""'],
  ])('%s with mask %s', (address, mask, first, last, text, size, listen) => {
    const found = describe4(address, mask);
    expect([
      found['first_usable'],
      found['last_usable'],
      found['string'],
      found['size'],
      found['ListenStream'],
    ]).toEqual([first, last, text, size, listen]);
  });

  it.each([
    ['::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '::1', '::1', '1'],
    ['fe80::1:2', 'ffff:ffff:ffff:ffff::', 'fe80::1:2/64', 'fe80::/64', '18446744073709551616'],
    [
      'fe80:0:0:0:1:0:0:2%eth0',
      'ffff:ffff:ffff:ffff::',
      'fe80::1:0:0:2/64',
      'fe80::/64',
      '18446744073709551616',
    ],
    ['::ffff:1.2.3.4', 'ffff::', '::ffff:102:304/16', '::/16', String(2n ** 112n)],
  ])('%s with mask %s', (address, mask, text, network, size) => {
    const found = describe6(address, mask);
    expect([found['string'], found['network'], found['size']]).toEqual([text, network, size]);
    expect(found).toMatchObject({ type: 'IPv6', broadcast: '', uint32: '', DialStream: '"tcp6" ""' });
    expect(found['binary']).toHaveLength(128);
    expect(found['octets']?.split(' ')).toHaveLength(16);
  });
});
