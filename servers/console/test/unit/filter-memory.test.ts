import { describe, expect, it } from 'vitest';
import { createFilterMemory } from '../../src/lists/filter-memory.js';

function createStorage(entries: Readonly<Record<string, string>> = {}) {
  const retained = new Map(Object.entries(entries));
  return {
    retained,
    getItem: (name: string) => retained.get(name) ?? null,
    setItem: (name: string, value: string) => void retained.set(name, value),
  };
}

describe('the memory of filters', () => {
  it('has the last one first, each once, and forgets the oldest', () => {
    const storage = createStorage();
    const memory = createFilterMemory('jobs', storage);
    for (let number = 0; number < 60; number += 1) memory.enter(`A == ${number}`);
    memory.enter('A == 30');
    memory.enter('  ');
    memory.enter('x'.repeat(5_000));
    expect(memory.history.value).toHaveLength(50);
    expect(memory.history.value.slice(0, 2)).toEqual(['A == 30', 'A == 59']);
    expect(createFilterMemory('jobs', storage).history.value).toEqual(memory.history.value);
    expect(createFilterMemory('nodes', storage).history.value).toEqual([]);
  });

  it('keeps filters by their names', () => {
    const storage = createStorage();
    const memory = createFilterMemory('jobs', storage);
    memory.save(' mine ', 'A == 1');
    memory.save('other', 'A == 2');
    memory.save('mine', 'A == 3');
    memory.save('', 'A == 4');
    expect(memory.saved.value).toEqual([
      { name: 'other', filter: 'A == 2' },
      { name: 'mine', filter: 'A == 3' },
    ]);
    memory.forget('other');
    expect(createFilterMemory('jobs', storage).saved.value).toEqual([{ name: 'mine', filter: 'A == 3' }]);
  });

  it.each(['{', '7', '[1,{"name":2}]', '{"a":1}'])('takes nothing from what is no memory: %s', (text) => {
    const storage = createStorage({ 'scheduler-history-jobs': text, 'scheduler-saved-jobs': text });
    const memory = createFilterMemory('jobs', storage);
    expect([memory.history.value, memory.saved.value]).toEqual([[], []]);
  });

  it('goes on without room', () => {
    const setItem = (): void => {
      throw new Error('QuotaExceededError');
    };
    const memory = createFilterMemory('jobs', { getItem: () => null, setItem });
    memory.enter('A == 1');
    expect(memory.history.value).toEqual(['A == 1']);
  });
});
