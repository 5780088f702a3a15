import { createNode } from './create-node.js';
import { createFilterLanguage, type FilterSource } from './language.js';
import type { Fix, Mark, Offer, Offers } from './filter-box/filter-language.js';
import { schemeRules } from './scheme.js';

/** Options of `enhanceFilterInput`. */
export interface PlainFilterOptions extends FilterSource {
  /** Called on each edit, with the first error that is known without the endpoint. */
  readonly onChange?: (value: string, error: Mark | null) => void;
  /** Called on Enter, also with errors of the endpoint. */
  readonly onSubmit?: (value: string, error: Mark | null) => void;
}

/** An input with suggestions and errors. */
export interface PlainFilter {
  /** Removes the suggestions, errors and listeners; the input stays. */
  destroy(): void;
}

/** Idle time before a filter is validated, in ms. */
const delay = 300;
/** Maximum number of suggestions in the list. */
const maxOffers = 30;
/** Maximum number of corrections per error. */
const maxFixes = 3;
let inputs = 0;

/**
 * Adds suggestions and errors to an input, without an editor. A form with an invalid filter is not submitted.
 *
 * @throws TypeError if the element is not an input or the schema is invalid
 */
export function enhanceFilterInput(input: HTMLInputElement, options: PlainFilterOptions): PlainFilter {
  if (!(input instanceof HTMLInputElement))
    throw new TypeError('enhanceFilterInput: input must be an <input> element.');
  const language = createFilterLanguage(options);
  const root = input.getRootNode() as Document | ShadowRoot;
  if (!root.adoptedStyleSheets.includes(styles())) root.adoptedStyleSheets.push(styles());
  inputs += 1;
  const listId = `tamis-offers-${inputs}`;
  const list = createNode('ul', 'tamis-offers', '');
  const status = createNode('div', 'tamis-problems', '');
  const panel = createNode('div', 'tamis-plain', '');
  Object.assign(list, { id: listId, role: 'listbox', ariaLabel: 'Suggestions', hidden: true });
  status.id = `${listId}-status`;
  status.role = 'status';
  panel.append(list, status);
  input.after(panel);
  const attributes = {
    ...{ role: 'combobox', autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off' },
    ...{ 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': listId },
    'aria-describedby': status.id,
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);

  const controller = new AbortController();
  let offers: Offers | null = null;
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const close = (): void => {
    offers = null;
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const setActive = (index: number): void => {
    active = index;
    for (const [at, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(at === index));
      if (at === index) item.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${listId}-${index}`);
  };
  /** Replaces a range as if the user had typed it. */
  const write = (text: string, from: number, to: number): void => {
    input.setRangeText(text, from, Math.max(from, to), 'end');
    input.focus();
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const accept = (index: number): void => {
    const item = offers?.items[index];
    if (offers === null || item === undefined) return;
    const { from, to } = offers;
    close();
    const isSpaced = item.kind !== 'value' && !/[([]$/.test(item.insert) && to === input.value.length;
    write(isSpaced ? `${item.insert} ` : item.insert, from, to);
  };
  const suggest = async (): Promise<void> => {
    const { value, selectionStart } = input;
    const offset = selectionStart ?? value.length;
    const found = await language.complete(value, offset).catch(() => null);
    if (controller.signal.aborted || input.value !== value || input.selectionStart !== offset) return;
    const items = found?.items.slice(0, maxOffers) ?? [];
    const isComplete = items.length === 1 && items[0]?.insert === value.slice(found?.from, found?.to);
    if (found === null || items.length === 0 || isComplete) return close();
    offers = { ...found, items };
    list.replaceChildren(...items.map((item, index) => optionOf(item, index)));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    setActive(0);
  };
  const optionOf = ({ label, detail }: Offer, index: number): HTMLElement => {
    const item = createNode('li', '', label);
    item.id = `${listId}-${index}`;
    item.role = 'option';
    if (detail !== '') item.append(createNode('span', '', detail));
    // Not `click`: the input would lose the focus first.
    item.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      accept(index);
    });
    return item;
  };
  const render = (marks: readonly Mark[]): Mark | null => {
    const error = marks.find(({ severity }) => severity === 'error') ?? null;
    const first = error ?? marks[0];
    input.setCustomValidity(error?.message ?? '');
    input.setAttribute('aria-invalid', String(error !== null));
    status.replaceChildren();
    if (first === undefined) return error;
    status.className = `tamis-problems tamis-${first.severity}`;
    status.append(createNode('span', 'tamis-message', first.message));
    if (first.hint !== null) status.append(createNode('span', '', first.hint));
    status.append(...first.suggestions.slice(0, maxFixes).map(fixButton));
    return error;
  };
  const fixButton = ({ title, span, replacement }: Fix): HTMLElement => {
    const button = createNode('button', '', title === '' ? `write ${replacement}` : title);
    button.type = 'button';
    button.addEventListener('click', () => {
      write(replacement, span.start, span.end);
      close();
    });
    return button;
  };
  const validate = async (): Promise<void> => {
    const { value } = input;
    const marks = await language.problems(value).catch(() => []);
    if (input.value === value && !controller.signal.aborted) render(marks);
  };
  const submit = async (): Promise<void> => {
    const { value } = input;
    const marks = await language.problems(value).catch(() => []);
    if (input.value !== value) return;
    const error = render(marks);
    options.onSubmit?.(value, error);
    if (error === null) input.form?.requestSubmit();
  };
  const onKey = (event: KeyboardEvent): void => {
    const { key, ctrlKey, isComposing } = event;
    const count = list.children.length;
    if (isComposing) return;
    if (key === ' ' && ctrlKey) void suggest();
    else if (offers !== null && key === 'ArrowDown') setActive((active + 1) % count);
    else if (offers !== null && key === 'ArrowUp') setActive((active - 1 + count) % count);
    else if (offers !== null && key === 'Escape') close();
    else if (offers !== null && (key === 'Enter' || key === 'Tab')) accept(active);
    else if (key === 'Enter') void submit();
    else return;
    event.preventDefault();
  };
  const { signal } = controller;
  input.addEventListener('keydown', onKey, { signal });
  input.addEventListener('blur', close, { signal });
  input.addEventListener(
    'input',
    () => {
      const error = language.errorOf(input.value);
      input.setCustomValidity(error?.message ?? '');
      options.onChange?.(input.value, error);
      void suggest();
      clearTimeout(timer);
      timer = setTimeout(() => void validate(), delay);
    },
    { signal },
  );
  if (input.value !== '') void validate();
  return {
    destroy() {
      controller.abort();
      clearTimeout(timer);
      panel.remove();
      input.setCustomValidity('');
      for (const name of [...Object.keys(attributes), 'aria-activedescendant', 'aria-invalid'])
        input.removeAttribute(name);
    },
  };
}

let sheet: CSSStyleSheet | null = null;
function styles(): CSSStyleSheet {
  if (sheet !== null) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(`${schemeRules(':where(.tamis-plain)')}
.tamis-plain { position: relative; font: 13px/22px system-ui, sans-serif; }
.tamis-offers { position: absolute; z-index: 10; top: 2px; left: 0; margin: 0; padding: 0; max-height: 16em; max-width: 92vw; overflow: auto;
  list-style: none; background: var(--filter-raised); color: var(--filter-ink); border: 1px solid var(--filter-line); border-radius: 6px; }
.tamis-offers li { padding: 2px 9px; cursor: pointer; overflow-wrap: anywhere; }
.tamis-offers li span { margin-left: 1em; color: var(--filter-quiet); }
.tamis-offers li[aria-selected=true], .tamis-offers li[aria-selected=true] span { background: var(--filter-accent); color: var(--filter-paper); }
.tamis-problems { display: flex; flex-wrap: wrap; gap: 4px 8px; margin-top: 4px; color: var(--filter-ink); }
.tamis-problems > * { overflow-wrap: anywhere; }
.tamis-error .tamis-message { color: var(--filter-error); }
.tamis-warning .tamis-message { color: var(--filter-warning); }
.tamis-problems button { font: inherit; border: 0; border-radius: 4px; padding: 0 9px; cursor: pointer;
  background: var(--filter-accent); color: var(--filter-paper); }
`);
  return sheet;
}
