import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiFailure } from '../api/api-failure.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { useConsole } from './console.js';
import { addressOf } from './location.js';

/** Whether the page already requests a token, so that its parts need not request it too. */
export const TokenRequested = createContext(false);

interface FailureNoticeProps {
  readonly failure: ApiFailure;
  /** Name of the content that failed to load: `the jobs`. */
  readonly what: string;
  /** The required rights, as in policies. */
  readonly right?: string;
}

/** Explains why content is missing or outdated, and how to fix that. */
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
        {message} The page retries automatically.
      </p>
    );
  }
  return (
    <p class="notice error" role="alert">
      <UntrustedText text={message} maxLength={2_000} isExpandable hasLines />
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
