import { initialTexts as texts } from '../texts/initial-texts.ts';
import { type Action, isAllowed, NEEDED_ROLES } from './permissions.ts';
import { useCurrentSession } from './session.ts';

/** Whether the signed-in person may do this in the account. */
export const useIsAllowed = (action: Action): boolean => isAllowed(useCurrentSession().role, action);

/** Says why an action is missing or disabled; nothing if it is allowed. */
export const RoleNote = ({ action, id }: { readonly action: Action; readonly id?: string }) =>
  useIsAllowed(action) ? null : (
    <p id={id} class="hint">
      {texts.permissions[NEEDED_ROLES[action]]}
    </p>
  );
