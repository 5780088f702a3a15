import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiFailure } from '../api/api-failure.js';
import { OutsideText } from '../text/outside-text.js';
import { useConsole } from './console.js';
import { addressOf } from './location.js';

/** Whether the page has asked for a token already, so that its parts need not. */
export const TokenRequested = createContext(false);

interface FailureNoticeProps {
  readonly failure: ApiFailure;
  /** What was to be shown: `the jobs`. */
  readonly what: string;
  /** What a token needs for it, in the words of policies. */
  readonly right?: string;
}

/** Why something is not shown, or is as old as it is, and what can be done about it. */
export function FailureNotice({ failure, what, right = '' }: FailureNoticeProps) {
  const { kind, message } = failure;
  if (kind === 'denied') return <Denied what={what} right={right} />;
  if (kind === 'no-leader') {
    return (
      <p class="notice warning" role="status">
        The leader is changing: {what} will be read when there is one again.
      </p>
    );
  }
  if (kind === 'unreachable' || kind === 'busy') {
    return (
      <p class="notice warning" role="status">
        {message} The page asks again by itself.
      </p>
    );
  }
  return (
    <p class="notice error" role="alert">
      <OutsideText text={message} maxLength={2_000} opens hasLines />
    </p>
  );
}

function Denied({ what, right }: { readonly what: string; readonly right: string }) {
  const { session } = useConsole();
  const isSignedIn = session.token.value !== '';
  const isTokenRequested = useContext(TokenRequested);
  if (isTokenRequested && !isSignedIn) return <p class="quiet">Not without a token.</p>;
  return (
    <div class="notice error" role="alert">
      <p>
        {isSignedIn
          ? `Your token may not see ${what}, or it is no token of this cluster, or it has ended.`
          : `This cluster has access control: sign in with a token to see ${what}.`}
        {right !== '' && ` Needed: ${right}.`}
      </p>
      <p>
        <a href={addressOf(['access'])}>{isSignedIn ? 'Who am I? Use another token' : 'Sign in'}</a>
      </p>
    </div>
  );
}
