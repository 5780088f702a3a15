import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { beginningOf, visibleParts } from './visible-text.js';

/** Number of characters shown at first, and added by each step. */
const defaultLength = 200;
const step = 20_000;

interface UntrustedTextProps {
  readonly text: string;
  /** Maximum characters; longer strings are cut. */
  readonly maxLength?: number;
  /** Whether a button shows more. */
  readonly isExpandable?: boolean;
  /** Whether it has several lines, with line breaks and tabs shown as such. */
  readonly hasLines?: boolean;
}

/**
 * An untrusted string: a name, a description, metadata. It is never rendered as markup and cannot change the direction of its
 * surroundings; invisible characters are shown by name, and long strings are cut.
 */
export function UntrustedText({
  text,
  maxLength = defaultLength,
  isExpandable = false,
  hasLines = false,
}: UntrustedTextProps) {
  const [visibleLength, setVisibleLength] = useState(maxLength);
  const cut = beginningOf(text, visibleLength);
  const rest = text.length - cut.length;
  return (
    <>
      <bdi dir="auto" class={hasLines ? 'untrusted lines' : 'untrusted'}>
        {visibleParts(cut, hasLines).map(({ text: part, isInvisible }, index) =>
          isInvisible ? (
            <span key={index} class="invisible-character">
              {part}
            </span>
          ) : (
            part
          ),
        )}
        {rest > 0 && '…'}
      </bdi>
      {rest > 0 && isExpandable && (
        <button
          type="button"
          class="more"
          onClick={() => {
            setVisibleLength(visibleLength + step);
          }}
        >
          {rest.toLocaleString('en')} more characters
        </button>
      )}
    </>
  );
}

interface DisplayValueProps {
  readonly value: ComponentChildren;
  /** Whether a button shows more of a long string. */
  readonly isExpandable?: boolean;
}

/** Shows a value of a table or page: a string as untrusted text, anything else unchanged. */
export function DisplayValue({ value, isExpandable = false }: DisplayValueProps) {
  return typeof value === 'string' ? (
    <UntrustedText text={value} isExpandable={isExpandable} />
  ) : (
    <>{value}</>
  );
}
