import { useEffect, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { ApiError } from '../api/api-error.ts';
import { clearQueries } from '../api/query.ts';
import { redeemLink } from '../api/session.ts';
import { useMutation } from '../api/use-mutation.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ActionError } from '../parts/feedback.tsx';
import { BrandMark } from '../shell/navigation.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { takeReturnPath } from '../shell/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

/** Removes the token from the URL at once, so that it does not stay in the history. */
const takeToken = (): string => {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
};

/** The account follows the secret in the token, so that the page can show it. */
const accountName = (token: string): string | undefined => token.split('.', 2)[1];

const isRejected = (error: Error | null): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

const HowToGetLink = ({ explanation }: { readonly explanation: string }) => (
  <div class="stack">
    <p>{explanation}</p>
    <CodeBlock code={texts.signIn.command} label={texts.signIn.title}>
      {texts.signIn.command.split(' ').map((word) => (
        <span key={word}>{`${word} `}</span>
      ))}
    </CodeBlock>
    <p class="quiet small">
      {texts.signIn.commandDeployed} {texts.signIn.commandLocal}
    </p>
    <p class="quiet small">{texts.signIn.fromColleague}</p>
  </div>
);

const Invitation = ({ token }: { readonly token: string }) => {
  const [, navigate] = useLocation();
  const { mutate, isPending, error } = useMutation(
    () => redeemLink(token),
    () => {
      clearQueries();
      navigate(takeReturnPath(), { replace: true });
    },
  );
  if (isRejected(error)) return <HowToGetLink explanation={texts.signIn.expired} />;
  return (
    <div class="stack">
      <p>{texts.signIn.invitation}</p>
      <ActionError error={error} />
      <button type="button" class="button button-primary" disabled={isPending} onClick={() => mutate()}>
        {isPending ? texts.signIn.pending : texts.signIn.button(accountName(token))}
      </button>
    </div>
  );
};

/** Requires a click, so that mail scanners that open links do not use them up. */
export const SignIn = () => {
  const [token, setToken] = useState(takeToken);
  const hasEnded = useSearch() === 'ended';
  useEffect(() => {
    const update = (): void => setToken(takeToken());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return (
    <main class="alone">
      <div class="card alone-card stack">
        <p class="brand alone-brand">
          <BrandMark />
          {texts.productName}
        </p>
        <PageTitle title={texts.signIn.title} />
        {hasEnded && <p role="status">{texts.signIn.ended}</p>}
        {token === '' ? (
          <HowToGetLink explanation={texts.signIn.noLink} />
        ) : (
          <Invitation key={token} token={token} />
        )}
      </div>
    </main>
  );
};
