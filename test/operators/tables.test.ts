import { expect, it } from 'vitest';
import { operatorTables } from '../support/operator-tables.js';

it('grammar/operators.md prints the operator table of the engine', async () => {
  await expect(operatorTables()).toMatchFileSnapshot('../../grammar/operators.md');
});
