import { useCallback, useMemo } from 'preact/hooks';
import { useQuery } from '../api/hooks.ts';
import { formerPeople, keys, personName, users } from '../api/organization.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

/** The people of the account by name, then those who were removed, for a filter. */
export const usePeople = (): readonly (readonly [id: string, name: string])[] | undefined => {
  const { data: members } = useQuery(users, useCurrentSession().project_id);
  const { data: former } = useQuery(formerPeople, useIsAllowed('audit'));
  return useMemo(() => {
    if (members === undefined) return undefined;
    const isMember = new Set(members.map(({ id }) => id));
    return [
      ...members.map((member) => [member.id, personName(member)] as const),
      ...Object.entries(former ?? {})
        .filter(([id]) => !isMember.has(id))
        .map(([id, email]) => [id, texts.people.removedName(email)] as const),
    ];
  }, [members, former]);
};

/** Returns a function that names a person of the account; the empty id stands for nobody. */
export const usePersonName = (): ((id: string) => string) => {
  const people = usePeople();
  return useCallback(
    (id) => {
      if (id === '') return texts.people.nobody;
      if (people === undefined) return texts.states.none;
      return people.find(([each]) => each === id)?.[1] ?? texts.people.former;
    },
    [people],
  );
};

/** Returns a function that names a key of the account, by its id if it is not known. */
export const useKeyName = (): ((id: string) => string) => {
  const { data } = useQuery(keys, useCurrentSession().project_id);
  return (id) => data?.data.find((key) => key.id === id)?.name ?? id;
};
