import { useState } from 'preact/hooks';
import type { FileList } from '../../functions/files/api/file-object.ts';
import type { VideoList } from '../../functions/videos/api/video-list.ts';
import { useQuery } from '../api/hooks.ts';
import { createQuery } from '../api/query.ts';
import { getJson, queryString } from '../api/request.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Empty, LoadState } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import type { HistoryProps } from '../playground/playground-page.tsx';
import { useCurrentSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { type LibraryItem, toImageItem, toVideoItem } from './items.ts';

/** How many videos and images are read, and how many different prompts are shown. */
const READ = 100;
const MAX_SHOWN = 50;

/** Newest first, each prompt once. */
const distinctPrompts = (items: readonly LibraryItem[]): readonly string[] => {
  const prompts = items
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .map(({ prompt }) => prompt)
    .filter((prompt) => prompt.trim() !== '');
  return [...new Set(prompts)].slice(0, MAX_SHOWN);
};

/** Whoever signs in with a link has no name: their requests are those that were made in the console without one. */
const isUnnamed = ({ keyId, personId }: LibraryItem): boolean =>
  keyId?.startsWith('sess_') === true && personId === undefined;

const prompts = createQuery<[personId: string | undefined], readonly string[]>(async (signal, [personId]) => {
  const filter = { user_id: personId, limit: READ };
  const [videos, images] = await Promise.all([
    getJson<VideoList>(`/v1/videos${queryString({ ...filter, include: ['request'] })}`, signal),
    getJson<FileList>(`/v1/files${queryString({ ...filter, purpose: 'output' })}`, signal),
  ]);
  const items = [...videos.data.map(toVideoItem), ...images.data.map(toImageItem)];
  return distinctPrompts(personId === undefined ? items.filter(isUnnamed) : items);
});

const PromptList = ({ onChoose }: Pick<HistoryProps, 'onChoose'>) => {
  const query = useQuery(prompts, useCurrentSession().user?.id);
  const [search, setSearch] = useState('');
  const { data } = query;
  if (data === undefined) return <LoadState {...query} />;
  if (data.length === 0) return <Empty title={texts.prompts.emptyTitle} text={texts.prompts.emptyText} />;
  const wanted = search.toLocaleLowerCase();
  return (
    <div class="stack">
      <TextField label={texts.library.search} dir="auto" value={search} onChange={setSearch} />
      <ul class="stack stack-tight">
        {data
          .filter((prompt) => prompt.toLocaleLowerCase().includes(wanted))
          .map((prompt) => (
            <li key={prompt}>
              <button
                type="button"
                class="example box prompt-choice"
                dir="auto"
                onClick={() => onChoose(prompt)}
              >
                {prompt}
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
};

/** One's own last prompts, for videos and images. Those of deleted items are gone. */
export const PromptHistory = ({ onChoose, ...dialog }: HistoryProps) => (
  <Dialog title={texts.form.recentPrompts} {...dialog}>
    <PromptList onChoose={onChoose} />
  </Dialog>
);
