import { useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import type { SignInObject } from '../../functions/identity/api/session-object.ts';
import { ApiError } from '../api/errors.ts';
import { useMutation, useQuery, useWindowEvent } from '../api/hooks.ts';
import { clearQueries } from '../api/query.ts';
import { providerUrl, redeemToken, signInOptions } from '../api/sign-in.ts';
import { Button } from '../parts/buttons.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ActionError, LoadState, Problem } from '../parts/feedback.tsx';
import { BrandMark, PageTitle } from '../parts/page-title.tsx';
import { readReturnPath, takeReturnPath } from '../session/session.ts';
import { initialTexts } from '../texts/initial-texts.ts';
import { signInTexts as texts } from '../texts/sign-in-texts.ts';

/** Removes the fragment from the URL at once, so that neither a token nor an address stays in the history. */
const takeFragment = (): string => {
  const fragment = location.hash.slice(1);
  if (fragment !== '') history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return fragment;
};

/** The identity with which the provider's answer was refused. */
const IDENTITY = 'as=';

/** The token of the address, or the refused identity; also if another address is opened in the same tab. */
const useFragment = () => {
  const [fragment, setFragment] = useState(takeFragment);
  useWindowEvent('hashchange', () => setFragment(takeFragment()));
  return fragment.startsWith(IDENTITY)
    ? { token: '', identity: decodeURIComponent(fragment.slice(IDENTITY.length)) }
    : { token: fragment, identity: '' };
};

/** The account follows the secret in the token, so that the page can show it. */
const accountName = (token: string): string | undefined => token.split('.', 2)[1];

type ProviderProps = {
  readonly name: string;
  readonly invitation?: string;
  readonly choosesIdentity?: boolean;
};

/** Leaves the console; the provider leads back to the page that was open before. */
const ProviderButton = ({ name, invitation, choosesIdentity = false }: ProviderProps) => (
  <a class="button button-primary" href={providerUrl(readReturnPath(), invitation, choosesIdentity)}>
    {choosesIdentity ? texts.otherIdentity(name) : texts.provider(name)}
  </a>
);

const HowToGetLink = ({ explanation }: { readonly explanation: string }) => (
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
const Redeem = ({ token, isInvitation = false }: RedeemProps) => {
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
      <Button kind="button-primary" aria-disabled={isPending} onClick={() => mutate()}>
        {isPending ? texts.pending : label}
      </Button>
    </div>
  );
};

type WayProps = {
  readonly token: string;
  readonly options: SignInObject;
  /** After a refusal, the provider must not choose the same identity again by itself. */
  readonly choosesIdentity?: boolean;
};

const Invited = ({ token, options: { provider, links } }: WayProps) => (
  <div class="stack">
    <p>{texts.invitation(accountName(token))}</p>
    {provider !== null && (
      <>
        <p>{texts.invitationProvider(provider.name)}</p>
        <ProviderButton name={provider.name} invitation={token} />
      </>
    )}
    {provider === null && links && <Redeem key={token} token={token} isInvitation />}
    {provider === null && !links && <p>{texts.noWay}</p>}
  </div>
);

const Ways = ({ token, options, choosesIdentity = false }: WayProps) => {
  const { provider, links } = options;
  if (token.startsWith('mgi_')) return <Invited token={token} options={options} />;
  if (token !== '' && links) return <Redeem key={token} token={token} />;
  return (
    <div class="stack">
      {token !== '' && <p>{texts.linksDisabled}</p>}
      {provider !== null && <ProviderButton name={provider.name} choosesIdentity={choosesIdentity} />}
      {provider !== null && links && <p class="quiet small">{texts.linkToo}</p>}
      {provider === null && links && <HowToGetLink explanation={texts.noLink} />}
      {provider === null && !links && <p>{texts.noWay}</p>}
    </div>
  );
};

/** The explanation of the code with which the provider's answer was refused. */
const explainError = (search: string, identity: string): string | undefined => {
  const code = new URLSearchParams(search).get('error');
  if (code === null) return undefined;
  const reason = Object.entries(texts.errors).find(([name]) => name === code)?.[1];
  const explanation = reason ?? texts.errors.sign_in_failed;
  return identity === '' ? explanation : `${texts.refused(identity)} ${explanation}`;
};

/** Requires a click, so that mail scanners that open links do not use them up. */
export const SignIn = () => {
  const { token, identity } = useFragment();
  const search = useSearch();
  const query = useQuery(signInOptions);
  const options = query.data;
  const problem = explainError(search, identity);
  return (
    <main class="alone">
      <div class="card alone-card stack">
        <p class="line brand alone-brand">
          <BrandMark />
          {initialTexts.productName}
        </p>
        <PageTitle title={texts.title} />
        {search === 'ended' && <p role="status">{texts.ended}</p>}
        {search === 'removed' && <Problem message={texts.removed} />}
        {problem !== undefined && <Problem message={problem} />}
        {options === undefined ? (
          <LoadState {...query} />
        ) : (
          <Ways token={token} options={options} choosesIdentity={identity !== ''} />
        )}
      </div>
    </main>
  );
};
