import { useLocation } from 'wouter-preact';
import { ApiError } from '../api/errors.ts';
import { useMutation } from '../api/hooks.ts';
import { clearQueries } from '../api/query.ts';
import { providerUrl, redeemToken } from '../api/sign-in.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ActionError } from '../parts/feedback.tsx';
import { readReturnPath, takeReturnPath } from '../shell/session.ts';
import { signInTexts as texts } from '../texts/sign-in-texts.ts';

/** The account follows the secret in the token, so that the page can show it. */
export const accountName = (token: string): string | undefined => token.split('.', 2)[1];

type ProviderProps = { readonly name: string; readonly invitation?: string };

/** Leaves the console; the provider leads back to the page that was open before. */
export const ProviderButton = ({ name, invitation }: ProviderProps) => (
  <a class="button button-primary" href={providerUrl(readReturnPath(), invitation)}>
    {texts.provider(name)}
  </a>
);

export const HowToGetLink = ({ explanation }: { readonly explanation: string }) => (
  <div class="stack">
    <p>{explanation}</p>
    <CodeBlock code={texts.command} label={texts.title}>
      {texts.command.split(' ').map((word) => (
        <span key={word}>{`${word} `}</span>
      ))}
    </CodeBlock>
    <p class="quiet small">
      {texts.commandDeployed} {texts.commandLocal}
    </p>
    <p class="quiet small">{texts.fromColleague}</p>
  </div>
);

const isRejected = (error: Error | null): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

type RedeemProps = { readonly token: string; readonly isInvitation?: boolean };

/** Uses up a sign-in link, or accepts an invitation. */
export const Redeem = ({ token, isInvitation = false }: RedeemProps) => {
  const [, navigate] = useLocation();
  const { mutate, isPending, error } = useMutation(
    () => redeemToken(token),
    () => {
      clearQueries();
      navigate(takeReturnPath(), { replace: true });
    },
  );
  if (isRejected(error))
    return isInvitation ? <p>{texts.invitationExpired}</p> : <HowToGetLink explanation={texts.expired} />;
  const account = accountName(token);
  const label = isInvitation ? texts.accept(account) : texts.button(account);
  return (
    <div class="stack">
      <p>{isInvitation ? texts.invitationLink : texts.link}</p>
      <ActionError error={error} />
      <button type="button" class="button button-primary" disabled={isPending} onClick={() => mutate()}>
        {isPending ? texts.pending : label}
      </button>
    </div>
  );
};
