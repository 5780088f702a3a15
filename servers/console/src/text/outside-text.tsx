import { useState } from 'preact/hooks';
import { beginningOf, visibleParts } from './visible-text.js';

/** Characters that are shown of a text at first, and how many more with each step. */
const defaultLength = 200;
const step = 20_000;

interface OutsideTextProps {
  readonly text: string;
  /** Most characters; what is more is cut. */
  readonly maxLength?: number;
  /** Whether there is a button that shows more. */
  readonly opens?: boolean;
  /** Whether it has several lines, whose ends and tabs are shown as such. */
  readonly hasLines?: boolean;
}

/**
 * A text that somebody else has written: a name, a description, metadata. It is always text, it turns nothing around it, what
 * cannot be seen is named, and what is long is cut.
 */
export function OutsideText({ text, maxLength = defaultLength, opens = false, hasLines = false }: OutsideTextProps) {
  const [visibleLength, setVisibleLength] = useState(maxLength);
  const cut = beginningOf(text, visibleLength);
  const rest = text.length - cut.length;
  return (
    <>
      <bdi dir="auto" class={hasLines ? 'outside lines' : 'outside'}>
        {visibleParts(cut, hasLines).map(({ text: part, isSign }, index) =>
          isSign ? (
            <span key={index} class="unseen-sign">
              {part}
            </span>
          ) : (
            part
          ),
        )}
        {rest > 0 && '…'}
      </bdi>
      {rest > 0 && opens && (
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
