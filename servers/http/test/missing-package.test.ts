import { expect, it } from 'vitest';
import { explainMissingPackage, withCommit } from '../src/index.js';

const coded = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

it('names a package that is not installed, and passes other errors on', () => {
  const [text, ...none] = [
    coded("Cannot find package '@grpc/grpc-js' imported from /opt/main.js", 'ERR_MODULE_NOT_FOUND'),
    coded("Cannot find module '/opt/dist/chunk.js' imported from /opt/main.js", 'ERR_MODULE_NOT_FOUND'),
    coded("Cannot find package 'x'"),
    'text',
  ].map(explainMissingPackage);
  expect(text).toBe(
    'The package @grpc/grpc-js, which etcd needs, is not installed: install this server again with its optional dependencies.',
  );
  expect(none).toEqual([null, null, null]);
});

it('a version says its commit where it is known', () => {
  expect([withCommit('0.2.0', ''), withCommit('0.2.0', '3f2a9c81d0b4')]).toEqual([
    '0.2.0',
    '0.2.0 (3f2a9c81d0b4)',
  ]);
  expect(withCommit('0.2.0')).toBe('0.2.0');
});
