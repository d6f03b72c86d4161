import { X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { cancelVideo, recentVideos, videoPages, videos } from '../api/videos.ts';
import { useIsAllowed } from '../shell/allowed.tsx';
import { notify, notifyError } from '../shell/notices.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Props = { readonly video: Pick<VideoObject, 'id' | 'status'> };

/** Cancels a queued task; shows nothing for others. */
export const CancelButton = ({ video: { id, status } }: Props) => {
  const [isPending, setIsPending] = useState(false);
  const isAllowed = useIsAllowed('create');
  const cancel = async (): Promise<void> => {
    setIsPending(true);
    try {
      await cancelVideo(id);
      notify(texts.video.cancelled);
    } catch (error) {
      // The button is gone by the time the error could be shown beside it: the task was submitted meanwhile.
      notifyError(error);
    }
    await Promise.all([videos.entry(id), recentVideos, videoPages].map((shown) => shown.invalidate()));
    setIsPending(false);
  };
  if (status !== 'queued' || !isAllowed) return null;
  return (
    <button type="button" class="button button-small" disabled={isPending} onClick={cancel}>
      <X size={15} aria-hidden />
      {texts.actions.cancel}
    </button>
  );
};
