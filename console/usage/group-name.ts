import { keys } from '../api/keys.ts';
import { useQuery } from '../api/use-query.ts';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts/texts.ts';

/** Keys by their names; a session's own requests are the console's. Models keep theirs. */
export const useGroupName = (): ((group: string) => string) => {
  const { project_id } = useCurrentSession();
  const { data } = useQuery(keys, project_id);
  return (group) => {
    if (group.startsWith('sess_')) return texts.usage.console;
    const name = data?.data.find(({ id }) => id === group)?.name ?? group;
    return name === '' ? texts.states.none : name;
  };
};
