import { Check, ChevronsUpDown } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { switchAccount } from '../api/session.ts';
import { CONSOLE_BASE } from '../environment.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { notifyError } from './notices.tsx';
import { useCurrentSession } from './session.ts';

/** A detail page belongs to one account, so its list is opened instead. */
const listPage = (): string =>
  location.pathname.slice(CONSOLE_BASE.length).replace(/^(\/(?:library|webhooks))\/.*$/, '$1');

/** The accounts of the person; choosing one loads the page anew, so that nothing of the other stays in memory. */
export const AccountList = () => {
  const { project_id, accounts } = useCurrentSession();
  const [isPending, setIsPending] = useState(false);
  const change = async (projectId: string): Promise<void> => {
    setIsPending(true);
    try {
      await switchAccount(projectId);
      location.assign(`${CONSOLE_BASE}${listPage()}`);
    } catch (error) {
      notifyError(error);
      setIsPending(false);
    }
  };
  return (
    <ul class="account-list" aria-label={texts.account.switch}>
      {accounts.map((account) => (
        <li key={account.project_id}>
          <button
            type="button"
            class="nav-link"
            disabled={isPending}
            aria-current={account.project_id === project_id ? 'true' : undefined}
            onClick={() => account.project_id !== project_id && void change(account.project_id)}
          >
            <span class="account-name">{account.project_id}</span>
            <span class="quiet small">{texts.account.roles[account.role]}</span>
            {account.project_id === project_id && <Check size={15} aria-hidden />}
          </button>
        </li>
      ))}
    </ul>
  );
};

/** The name of the account; a menu for people who belong to several. */
export const AccountName = () => {
  const { project_id, accounts } = useCurrentSession();
  const [isOpen, setIsOpen] = useState(false);
  if (accounts.length < 2)
    return (
      <span class="brand-name" title={project_id}>
        {project_id}
      </span>
    );
  return (
    <>
      <button
        type="button"
        class="account-button"
        popovertarget="accounts"
        aria-expanded={isOpen}
        title={texts.account.switch}
      >
        <span class="brand-name">
          {project_id}
          <span class="visually-hidden">, {texts.account.switch}</span>
        </span>
        <ChevronsUpDown size={15} aria-hidden />
      </button>
      <div
        id="accounts"
        popover="auto"
        class="menu account-menu"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        <AccountList />
      </div>
    </>
  );
};

/** Who is signed in: a person with a name and a role, or whoever has used a sign-in link. */
export const SignedInAs = () => {
  const { user, role } = useCurrentSession();
  const name = user === null ? texts.account.link : user.name || user.email;
  return (
    <p class="signed-in-as small" title={user?.email}>
      <span class="brand-name">{name}</span>
      <span class="quiet">{texts.account.roles[role]}</span>
    </p>
  );
};
