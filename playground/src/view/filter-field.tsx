import { useSignalEffect } from '@preact/signals';
import {
  createFilterBox,
  type FilterBox,
  type FilterBoxProps,
  type FilterLanguage,
} from '@tamis/filter-box/box';
import { useEffect, useRef } from 'preact/hooks';
import type { EngineClient } from '../engine-client.js';
import type { Playground } from '../state/playground.js';

/** The filter box, tied to the state of the playground. */
export function FilterField({ playground }: { readonly playground: Playground }) {
  const host = useRef<HTMLDivElement>(null);
  const box = useRef<FilterBox | null>(null);
  useEffect(() => {
    if (host.current === null) return;
    const made = createFilterBox(host.current, propsOf(playground));
    box.current = made;
    made.focus();
    return () => {
      made.destroy();
    };
  }, [playground]);
  // Not with the next drawing of the page: by then the box may have a newer text, which the older one would take back.
  useSignalEffect(() => {
    const props = propsOf(playground);
    box.current?.update(props);
  });
  return <div class="filter" ref={host} />;
}

function propsOf({ text, schema, history, highlighted, engine, setText, enter }: Playground): FilterBoxProps {
  return {
    text: text.value,
    label: 'Filter',
    placeholder: 'Status == "running" and Priority >= 50',
    language: languageOf(engine),
    knowledge: schema.value,
    history: history.value,
    visible: highlighted.value,
    onChange: setText,
    onEnter: enter,
  };
}

/** The engine in its worker as the language of a filter box. */
function languageOf(engine: EngineClient): FilterLanguage {
  return {
    complete: (text, offset) => engine.call('complete', text, offset),
    hover: (text, offset) => engine.call('hover', text, offset),
    problems: (text) => engine.call('problems', text),
    format: async (text) => (await engine.call('format', text)).text,
  };
}
