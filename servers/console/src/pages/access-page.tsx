import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { Facts } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** A token as its owner sees it. */
interface OwnToken {
  readonly AccessorID: string;
  readonly Name: string;
  readonly Type: string;
  readonly Policies: readonly string[] | null;
  readonly ExpirationTime: string | null;
}

/** Shows the current token, with a form to change it. */
export function AccessPage() {
  const { session } = useConsole();
  const isSignedIn = session.token.value !== '';
  return (
    <div class="narrow">
      <h1>Access</h1>
      {isSignedIn ? (
        <WhoAmI />
      ) : (
        <p>Where the cluster has access control, a token defines what you may do.</p>
      )}
      <SignIn />
      <p class="quiet">
        The token is kept for this tab alone, and is gone when the tab is closed. It is sent to this agent in
        a header of each request, and is never part of an address.
      </p>
    </div>
  );
}

function WhoAmI() {
  const { session } = useConsole();
  const { value, failure } = useReading<OwnToken>({ path: '/v1/acl/token/self', topics: [] });
  return (
    <section aria-label="Who you are">
      {value !== null && (
        <Facts
          of={{
            Name: value.Name,
            Kind: value.Type === 'management' ? 'management, may do everything' : value.Type,
            Policies: (value.Policies ?? []).join(', ') || 'none',
            Accessor: (
              <code>
                <UntrustedText text={value.AccessorID} />
              </code>
            ),
            Ends: value.ExpirationTime,
          }}
        />
      )}
      {failure?.kind === 'denied' && (
        <p class="notice error" role="alert">
          This is no token of this cluster, or it has ended.
        </p>
      )}
      {failure !== null && failure.kind !== 'denied' && (
        <p class="notice warning" role="status">
          <UntrustedText text={failure.message} />
        </p>
      )}
      <p>
        <button type="button" onClick={session.signOut}>
          Sign out
        </button>
      </p>
    </section>
  );
}

function SignIn() {
  const { session } = useConsole();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        const found = session.signIn(text);
        setProblem(found);
        if (found === null) setText('');
      }}
    >
      <label for="token">{session.token.value === '' ? 'Token' : 'Another token'}</label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby="token-problem"
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
        }}
      />
      <button type="submit" class="primary">
        Sign in
      </button>
      <p id="token-problem" class="error" role="alert">
        {problem}
      </p>
    </form>
  );
}
