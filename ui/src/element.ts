import { createFilterBox, type FilterBox, type FilterBoxProps } from './filter-box/filter-box.js';
import type { Mark } from './filter-box/filter-language.js';
import { createFilterLanguage, type LocalLanguage } from './language.js';
import { createSavedBar, type SavedBar, type SavedFilter } from './saved-bar.js';
import { readHistory, rememberFilter } from './stored-history.js';

export type { SavedFilter } from './saved-bar.js';

/** Detail of the events `change` and `submit`. */
export interface FilterEventDetail {
  readonly value: string;
  /**
   * The first error; null if the filter is valid or empty. `change` reports errors that are known without the endpoint, `submit`
   * also those of the endpoint.
   */
  readonly error: Mark | null;
}

declare global {
  interface HTMLElementTagNameMap {
    'tamis-filter': TamisFilter;
  }
}

/** The base class; on a server that renders the page there are no elements. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/** The element `<tamis-filter>`: an editor for one filter that takes part in forms. The README lists attributes and events. */
export class TamisFilter extends Base {
  static readonly formAssociated = true;
  static readonly observedAttributes = [
    'value',
    'label',
    'placeholder',
    'schema',
    'endpoint',
    'required',
    'disabled',
    'history-key',
  ];

  readonly #internals = this.attachInternals();
  #box: FilterBox | null = null;
  #bar: SavedBar | null = null;
  #value = '';
  /** Whether the value differs from its attribute, as after typing. */
  #isDirty = false;
  #isFormDisabled = false;
  #schema: unknown = null;
  #language: LocalLanguage = createFilterLanguage({});
  #error: Mark | null = null;
  #saved: readonly SavedFilter[] | null = null;

  /** The source of the filter. */
  get value(): string {
    return this.#value;
  }
  set value(value: string | null | undefined) {
    this.#isDirty = true;
    this.#setValue(value ?? '');
  }

  /** A `Schema`, the result of its `toJSON()`, or that as JSON text. */
  get schema(): unknown {
    return this.#schema;
  }
  set schema(schema: unknown) {
    if (schema === this.#schema) return;
    this.#language = createFilterLanguage({ schema, endpoint: this.endpoint });
    this.#schema = schema;
    this.#refresh();
  }

  /** URL of a list, for values and errors. */
  get endpoint(): string {
    return this.getAttribute('endpoint') ?? '';
  }
  set endpoint(url: string) {
    this.setAttribute('endpoint', url);
  }

  /** Accessible name. Default: the text of a `<label>` of this element, or "Filter". */
  get label(): string {
    const own = this.getAttribute('label')?.trim() ?? '';
    return own === '' ? (labelText(this.#internals.labels) ?? 'Filter') : own;
  }
  set label(label: string) {
    this.setAttribute('label', label);
  }

  get placeholder(): string {
    return this.getAttribute('placeholder') ?? '';
  }
  set placeholder(text: string) {
    this.setAttribute('placeholder', text);
  }

  get name(): string {
    return this.getAttribute('name') ?? '';
  }
  set name(name: string) {
    this.setAttribute('name', name);
  }

  get required(): boolean {
    return this.hasAttribute('required');
  }
  set required(isRequired: boolean) {
    this.toggleAttribute('required', isRequired);
  }

  get disabled(): boolean {
    return this.hasAttribute('disabled');
  }
  set disabled(isDisabled: boolean) {
    this.toggleAttribute('disabled', isDisabled);
  }

  /** Key of localStorage for earlier filters; without it there is no history. */
  get historyKey(): string {
    return this.getAttribute('history-key') ?? '';
  }
  set historyKey(key: string) {
    this.setAttribute('history-key', key);
  }

  /** Filters that are offered below the box; null hides the list and its button "Save filter". */
  get saved(): readonly SavedFilter[] | null {
    return this.#saved;
  }
  set saved(saved: readonly SavedFilter[] | null | undefined) {
    const isValid = (each: Partial<SavedFilter> | null): boolean =>
      typeof each?.name === 'string' && typeof each.filter === 'string';
    if (saved !== null && saved !== undefined && !(Array.isArray(saved) && saved.every(isValid)))
      throw new TypeError('TamisFilter: saved must be null or an array of { name, filter }, both strings.');
    this.#saved = saved ?? null;
    this.#renderSaved();
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }
  get validity(): ValidityState {
    return this.#internals.validity;
  }
  get validationMessage(): string {
    return this.#internals.validationMessage;
  }
  checkValidity(): boolean {
    return this.#internals.checkValidity();
  }
  reportValidity(): boolean {
    return this.#internals.reportValidity();
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#box = createFilterBox(this, this.#props());
    this.#bar = createSavedBar(root, {
      onChoose: (filter) => {
        this.#edit(filter);
        this.#refresh();
        void this.#submit();
      },
      onSave: () => this.#emit('save', { value: this.#value }),
      onRemove: (entry) => this.#emit('remove', entry),
    });
    this.#renderSaved();
    this.#validate();
  }

  disconnectedCallback(): void {
    this.#box?.destroy();
    this.#bar?.destroy();
    this.#box = null;
    this.#bar = null;
  }

  attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    if (text === old) return;
    if (name === 'value' && !this.#isDirty) this.#setValue(text ?? '');
    else if (name === 'schema') this.schema = text;
    else if (name === 'endpoint')
      this.#language = createFilterLanguage({ schema: this.#schema, endpoint: text });
    this.#refresh();
  }

  formResetCallback(): void {
    this.#isDirty = false;
    this.#setValue(this.getAttribute('value') ?? '');
  }
  formDisabledCallback(isDisabled: boolean): void {
    this.#isFormDisabled = isDisabled;
    this.#refresh();
  }
  formStateRestoreCallback(state: unknown): void {
    if (typeof state === 'string') this.value = state;
  }

  #props(): FilterBoxProps {
    return {
      text: this.#value,
      label: this.label,
      placeholder: this.placeholder,
      language: this.#language,
      knowledge: this.#language,
      history: readHistory(this.historyKey),
      visible: null,
      isDisabled: this.disabled || this.#isFormDisabled,
      isRequired: this.required,
      isInvalid: this.#error !== null,
      onChange: (text) => this.#edit(text),
      onEnter: () => void this.#submit(),
    };
  }

  #setValue(value: string): void {
    if (typeof value !== 'string')
      throw new TypeError(
        `TamisFilter: value must be a string, got ${value === null ? 'null' : typeof value}.`,
      );
    this.#value = value;
    this.#refresh();
  }

  #refresh(): void {
    this.#box?.update(this.#props());
    this.#validate();
  }

  /** Takes over a change by the user. */
  #edit(text: string): void {
    // A value that the page has set arrives here too.
    if (text === this.#value) return;
    this.#isDirty = true;
    this.#value = text;
    this.#validate();
    this.#emit('change', { value: text, error: this.#error });
  }

  async #submit(): Promise<void> {
    const value = this.#value;
    const marks = await this.#language.problems(value).catch(() => []);
    if (value !== this.#value) return;
    const error = marks.find(({ severity }) => severity === 'error') ?? null;
    this.#setError(error);
    if (error === null) {
      rememberFilter(this.historyKey, value);
      this.#box?.update(this.#props());
    }
    if (this.#emit('submit', { value, error }) && error === null) this.form?.requestSubmit();
  }

  #validate(): void {
    this.#setError(this.#language.errorOf(this.#value));
  }

  #setError(error: Mark | null): void {
    const isChange = (error === null) !== (this.#error === null);
    this.#error = error;
    if (isChange) this.#box?.update(this.#props());
    this.#internals.setFormValue(this.#value);
    const isMissing = this.required && this.#value.trim() === '';
    if (isMissing) this.#internals.setValidity({ valueMissing: true }, 'Enter a filter.');
    else if (error === null) this.#internals.setValidity({});
    else this.#internals.setValidity({ customError: true }, error.message);
    this.#renderSaved();
  }

  #renderSaved(): void {
    const isNew = !this.#saved?.some(({ filter }) => filter === this.#value);
    this.#bar?.update(this.#saved, isNew && this.#error === null && this.#value.trim() !== '');
  }

  /** Only `change` bubbles, as for other inputs: a form would take the other events for its own. */
  #emit(type: string, detail: object): boolean {
    return this.dispatchEvent(
      new CustomEvent(type, { detail, cancelable: true, bubbles: type === 'change' }),
    );
  }
}

function labelText(labels: NodeList): string | null {
  const text = [...labels].map(({ textContent }) => textContent?.trim() ?? '').join(' ');
  return text === '' ? null : text;
}
