import { createElement, forwardRef, useEffect, useImperativeHandle, useReducer, useRef } from 'react';
import './index.js';
import type { FilterEventDetail, SavedFilter, TamisFilter } from './element.js';
import type { Mark } from './filter-box/filter-language.js';

/** Properties of the React component. */
export interface FilterBoxProps {
  readonly value: string;
  /** Called on each edit. Set `value` to the new value, or the edit is undone. */
  readonly onChange?: (value: string, error: Mark | null) => void;
  /** Called on Enter and when the user chooses a saved filter. */
  readonly onSubmit?: (value: string, error: Mark | null) => void;
  /** A `Schema` or the result of its `toJSON()`; compared by identity. */
  readonly schema?: unknown;
  readonly endpoint?: string;
  readonly label?: string;
  readonly placeholder?: string;
  readonly name?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly historyKey?: string;
  readonly saved?: readonly SavedFilter[] | null;
  readonly onSave?: (value: string) => void;
  readonly onRemove?: (entry: SavedFilter) => void;
  readonly id?: string;
  readonly className?: string;
}

/** An editor for one filter, as a controlled component. Its ref is the element `<tamis-filter>`. */
export const FilterBox = forwardRef<TamisFilter, FilterBoxProps>(function FilterBox(props, ref) {
  const host = useRef<TamisFilter>(null);
  const latest = useRef(props);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useImperativeHandle<TamisFilter | null, TamisFilter | null>(ref, () => host.current, []);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    latest.current = props;
    const { schema = null, saved = null, value } = props;
    if (element.schema !== schema) element.schema = schema;
    if (element.saved !== saved) element.saved = saved;
    if (element.value !== value) element.value = value;
  });
  useEffect(() => {
    const element = host.current;
    const controller = new AbortController();
    const listen = <Detail>(type: string, call: (detail: Detail) => void): void => {
      const listener = (event: Event): void => call((event as CustomEvent<Detail>).detail);
      element?.addEventListener(type, listener, controller);
    };
    listen<FilterEventDetail>('change', ({ value, error }) => {
      latest.current.onChange?.(value, error);
      renderAgain();
    });
    listen<FilterEventDetail>('submit', ({ value, error }) => latest.current.onSubmit?.(value, error));
    listen<{ value: string }>('save', ({ value }) => latest.current.onSave?.(value));
    listen<SavedFilter>('remove', (entry) => latest.current.onRemove?.(entry));
    return () => controller.abort();
  }, []);
  const { endpoint, label, placeholder, name, required, disabled, historyKey, id, className } = props;
  return createElement('tamis-filter', {
    ref: host,
    ...{ endpoint, label, placeholder, name, id, class: className, 'history-key': historyKey },
    ...{ required: required === true ? '' : undefined, disabled: disabled === true ? '' : undefined },
  });
});
