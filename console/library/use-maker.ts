import { keys as keyQuery } from '../api/keys.ts';
import { useQuery } from '../api/use-query.ts';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

/** The name of the API key, or the console session, that made an item. */
export const useMaker = (keyId: string | undefined): string => {
  const { project_id, id } = useCurrentSession();
  const { data: keys } = useQuery(keyQuery, project_id);
  if (keyId === undefined) return texts.states.none;
  if (keyId === id) return texts.library.thisSession;
  if (keyId.startsWith('sess_')) return texts.library.otherSession;
  return keys?.data.find((key) => key.id === keyId)?.name ?? keyId;
};
