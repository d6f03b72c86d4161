import { useQuery } from '../api/hooks.ts';
import { keys as keyQuery, usePersonName } from '../api/organization.ts';
import type { Pair } from '../parts/lists.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

/** The API key or the console session that made an item, and the person. */
export const useMaker = (keyId: string | undefined, personId: string | null | undefined): readonly Pair[] => {
  const { project_id, id } = useCurrentSession();
  const { data: keys } = useQuery(keyQuery, project_id);
  const personName = usePersonName();
  const toolName = (): string => {
    if (keyId === undefined) return texts.states.none;
    if (keyId === id) return texts.library.thisSession;
    if (keyId.startsWith('sess_')) return texts.library.otherSession;
    return keys?.data.find((key) => key.id === keyId)?.name ?? keyId;
  };
  return [
    ...(personId === undefined || personId === null
      ? []
      : [[texts.library.creator, personName(personId)] as const]),
    [texts.library.maker, toolName()],
  ];
};
