import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('leaves.generated.ts is what scripts/generate-fused.mjs writes', () => {
  const script = fileURLToPath(new URL('../../scripts/generate-fused.mjs', import.meta.url));
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
