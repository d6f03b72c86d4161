import { useCallback } from 'preact/hooks';
import { useQuery } from '../api/hooks.ts';
import { personName, users } from '../api/organization.ts';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

/** Returns a function that names a person of the account; the empty id stands for nobody. */
export const usePersonName = (): ((id: string) => string) => {
  const { project_id } = useCurrentSession();
  const { data } = useQuery(users, project_id);
  return useCallback(
    (id) => {
      if (id === '') return texts.people.nobody;
      const user = data?.find((each) => each.id === id);
      if (user !== undefined) return personName(user);
      return data === undefined ? texts.states.none : texts.people.former;
    },
    [data],
  );
};
