import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, inject, it } from 'vitest';
import { noteOfExtra, whyExtraMissing } from '../../support/extra.js';

const hasAttw = whyExtraMissing('extra/attw') === null;

it('publint finds nothing in the tarball', async () => {
  const bytes = readFileSync(inject('tarball'));
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(pkg.name).toBe('tamis');
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it.runIf(hasAttw)(`attw resolves the types from ESM and from CommonJS${noteOfExtra('extra/attw')}`, () => {
  const attw = 'extra/attw/node_modules/@arethetypeswrong/cli/dist/index.js';
  const args = [attw, inject('tarball'), '--profile', 'node16', '--format', 'json'];
  const { analysis } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as {
    analysis: { packageName: string; problems: unknown[]; entrypoints: object };
  };
  expect(analysis.packageName).toBe('tamis');
  expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['.', './editor']));
  expect(analysis.problems.filter(isOfNode16)).toEqual([]);
});

/** The node10 resolution ignores "exports"; it is not used with this Node. */
function isOfNode16(problem: unknown): boolean {
  return !(problem instanceof Object && 'resolutionKind' in problem && problem.resolutionKind === 'node10');
}
