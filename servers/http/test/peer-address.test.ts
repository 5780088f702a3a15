import { expect, it } from 'vitest';
import { mayDialPeer } from '../src/peer-address.js';

it.each<[address: string, open: boolean, mutualTls: boolean]>([
  ['127.0.0.1:4647', true, true],
  ['127.8.9.1:4647', true, true],
  ['[::1]:4647', true, true],
  ['10.0.0.1:4647', false, true],
  ['[fe80::1]:4647', false, true],
  ['srv1.example:4647', false, true],
  ['127.0.0.1.evil.example:4647', false, true],
  ['', false, false],
  [':4647', false, false],
  ['127.0.0.1', false, false],
])('%j is dialled openly: %s, by mutual TLS: %s', (address, open, mutualTls) => {
  expect([mayDialPeer(address, false), mayDialPeer(address, true)]).toEqual([open, mutualTls]);
});
