import type { ItemFilter } from '../api/query.ts';
import type { ConsoleSession } from '../api/session.ts';
import { useCurrentSession } from '../session/session.ts';
import { usePreference } from '../session/storage.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { Choices } from './choices.tsx';

/** Whose items a page shows. */
const SCOPES = ['mine', 'account'] as const;
export type Scope = (typeof SCOPES)[number];

/** Selects one's own items in lists of the API. Whoever signs in with a link has no name, and so only the session. */
export const ownFilter = ({ id, user }: Pick<ConsoleSession, 'id' | 'user'>): ItemFilter =>
  user === null ? { api_key_id: id } : { user_id: user.id };

/** One's own items by default. Unnamed people see the account's, because their next session would have none. */
export const useScope = (): readonly [Scope, (scope: Scope) => void] => {
  const { user } = useCurrentSession();
  const [stored, store] = usePreference('scope');
  return [SCOPES.find((name) => name === stored) ?? (user === null ? 'account' : 'mine'), store];
};

/** One's own items, or those of the account; all pages follow the choice. */
export const ScopeSwitch = () => {
  const [scope, setScope] = useScope();
  const { user } = useCurrentSession();
  const labels = { mine: texts.scope.mine(user !== null), account: texts.scope.account };
  return (
    <Choices
      compact="scope"
      legend={texts.scope.legend}
      value={scope}
      choices={SCOPES.map((value) => ({ value, label: labels[value] }))}
      onChange={setScope}
    />
  );
};
