import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Result } from '../api/api-client.js';
import type { ApiFailure } from '../api/api-failure.js';
import { UntrustedText } from '../text/untrusted-text.js';

const OutcomeContext = createContext<(outcome: ComponentChildren) => void>(() => undefined);

/** Shows action buttons and the agent's response to the last action. The response stays if its button is removed. */
export function Actions({ children }: { readonly children: ComponentChildren }) {
  const [outcome, setOutcome] = useState<ComponentChildren>(null);
  return (
    <div class="actions">
      <OutcomeContext.Provider value={setOutcome}>{children}</OutcomeContext.Provider>
      <p class="told" role="status">
        {outcome}
      </p>
    </div>
  );
}

export interface ActionProps<T> {
  readonly label: string;
  /** The confirmation prompt. */
  readonly params: ComponentChildren;
  /** Additional fields of the action. */
  readonly children?: ComponentChildren;
  /** The required rights, as in policies. */
  readonly right: string;
  readonly isDangerous?: boolean;
  /** Performs the action. If it fails, the error message is shown and the fields stay. */
  readonly act: () => Promise<Result<T>>;
  readonly describeOutcome: (value: T) => ComponentChildren;
}

/** A button with a confirmation prompt. Must be inside `Actions`. */
export function Action<T>(props: ActionProps<T>) {
  const { label, isDangerous = false } = props;
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        type="button"
        ref={button}
        class={isDangerous ? 'dangerous' : ''}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {label}
      </button>
      {isOpen && (
        <ActionDialog
          {...props}
          onClose={() => {
            setIsOpen(false);
            button.current?.focus();
          }}
        />
      )}
    </>
  );
}

function ActionDialog<T>(props: ActionProps<T> & { readonly onClose: () => void }) {
  const {
    label,
    params: prompt,
    children,
    right,
    isDangerous = false,
    act,
    describeOutcome,
    onClose,
  } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const onOutcome = useContext(OutcomeContext);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isActing, setIsActing] = useState(false);
  const id = useId();
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  const run = async (): Promise<void> => {
    setIsActing(true);
    setFailure(null);
    const result = await act();
    setIsActing(false);
    if (!result.ok) {
      setFailure(result.failure);
      return;
    }
    onOutcome(describeOutcome(result.value));
    onClose();
  };
  return (
    <dialog ref={dialog} class="action" aria-labelledby={id} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isActing) void run();
        }}
      >
        <p id={id} class="question">
          {prompt}
        </p>
        {children}
        {failure !== null && <Refusal failure={failure} right={right} />}
        <div class="choices">
          <button type="submit" class={isDangerous ? 'dangerous sure' : 'primary'} aria-disabled={isActing}>
            {isActing ? 'Asking …' : label}
          </button>
          <button
            type="button"
            onClick={() => {
              dialog.current?.close();
            }}
          >
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Shows why an action failed, with the agent's message. */
export function Refusal({ failure, right }: { readonly failure: ApiFailure; readonly right: string }) {
  return (
    <p class="notice error" role="alert">
      <UntrustedText text={failure.message} maxLength={2_000} isExpandable />
      {failure.kind === 'denied' && ` Needed: ${right}.`}
    </p>
  );
}
