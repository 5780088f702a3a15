import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import type { FilterBox, FilterBoxProps, FilterLanguage } from '@tamis/filter-box/box';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListView } from './list-view.js';
import type { FilterMemory } from './filter-memory.js';

/** Idle time after which a valid filter is applied, in ms. */
const restTime = 400;

interface FilterFieldProps {
  readonly view: ListView;
  readonly memory: FilterMemory;
  readonly language: FilterLanguage;
  /** The completion data, compared by identity. */
  readonly knowledge: unknown;
  readonly placeholder: string;
  /** Called when the editor is loaded, to request completion data. */
  readonly onRich: () => void;
}

/** The filter of a list: initially a plain field, replaced by the filter box once its code is loaded. */
export function FilterField(props: FilterFieldProps) {
  const { view, memory, language, knowledge, placeholder, onRich } = props;
  const draft = useSignal(view.filter);
  const applied = useRef(view.filter);
  /** Whether the next typed change is the first one since the filter was applied or set from elsewhere. */
  const isFresh = useRef(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const apply = (filter: string, isEntered: boolean): void => {
    clearTimeout(timer.current);
    applied.current = filter;
    view.change({ filter }, !isFresh.current);
    isFresh.current = isEntered;
    if (isEntered) memory.enter(filter);
  };
  const type = (text: string): void => {
    draft.value = text;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void applyIfSound(text), restTime);
  };
  const applyIfSound = async (text: string): Promise<void> => {
    const marks = await language.problems(text).catch(() => null);
    if (marks === null || marks.some(({ severity }) => severity === 'error')) return;
    if (draft.peek() === text) latest.current(text, false);
  };
  // Later calls use the current view.
  const latest = useRef(apply);
  latest.current = apply;

  // Handles a filter set from elsewhere: a facet, going back, a link.
  useEffect(() => {
    if (view.filter === applied.current) return;
    clearTimeout(timer.current);
    applied.current = view.filter;
    isFresh.current = true;
    draft.value = view.filter;
  }, [view.filter]);

  const field = useFilterBox(draft, {
    label: 'Filter',
    placeholder,
    language,
    knowledge,
    history: memory.history.value,
    visible: null,
    onChange: type,
    onEnter: (text) => {
      apply(text, true);
    },
  });
  useEffect(() => {
    if (field.isRich) onRich();
  }, [field.isRich]);
  return (
    <div class="filter">
      <div ref={field.host} hidden={!field.isRich} />
      {!field.isRich && (
        <input
          ref={field.plain}
          type="text"
          class="plain-filter"
          aria-label="Filter"
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          value={draft.value}
          onInput={({ currentTarget }) => {
            draft.value = currentTarget.value;
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') apply(currentTarget.value, true);
          }}
        />
      )}
    </div>
  );
}

/** Creates the filter box in its element once its code has been loaded; input typed until then is kept. */
function useFilterBox(text: Signal<string>, props: Omit<FilterBoxProps, 'text'>) {
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLInputElement>(null);
  const box = useRef<FilterBox | null>(null);
  const [isRich, setIsRich] = useState(false);
  const current = useRef(props);
  current.current = props;
  useEffect(() => {
    let isLeft = false;
    void import('@tamis/filter-box/box').then(
      ({ createFilterBox }) => {
        if (isLeft || host.current === null) return;
        const isTyping = plain.current !== null && document.activeElement === plain.current;
        const cursor = plain.current?.selectionStart ?? undefined;
        box.current = createFilterBox(host.current, { ...current.current, text: text.peek() });
        setIsRich(true);
        const made = box.current;
        if (isTyping) queueMicrotask(() => setTimeout(() => made.focus(cursor)));
      },
      // If the editor cannot be loaded, the plain field stays.
      () => undefined,
    );
    return () => {
      isLeft = true;
      box.current?.destroy();
    };
  }, []);
  useEffect(() => {
    box.current?.update({ ...props, text: text.peek() });
  });
  // Runs immediately instead of on the next render: by then the box may have newer input, which would be overwritten.
  useSignalEffect(() => {
    const { value } = text;
    box.current?.update({ ...current.current, text: value });
  });
  return { host, plain, isRich };
}
