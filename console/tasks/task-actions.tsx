import { Download, RotateCcw, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Video } from '../api/shapes.ts';
import { useMutation } from '../api/use-mutation.ts';
import { contentAddress, deleteVideo, isUnfinished, videoPages } from '../api/videos.ts';
import { Confirm } from '../parts/confirm.tsx';
import { saveDraft } from '../playground/drafts.ts';
import { formOfVideo, VIDEO_DRAFT } from '../playground/video-form.ts';
import { notify } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';

export const TaskActions = ({ video }: { readonly video: Video }) => {
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const { mutate, isPending, error } = useMutation(
    () => deleteVideo(video.id),
    () => {
      // What was listed before must not show the task once more.
      videoPages.clear();
      notify(texts.task.deleted);
      navigate('/tasks');
    },
  );
  return (
    <div class="row">
      {video.status === 'completed' && (
        <a class="button" href={contentAddress(video.id)} download>
          <Download size={16} aria-hidden />
          {texts.actions.download}
        </a>
      )}
      <button
        type="button"
        class="button"
        onClick={() => {
          saveDraft(VIDEO_DRAFT, formOfVideo(video));
          navigate('/playground/video');
        }}
      >
        <RotateCcw size={16} aria-hidden />
        {texts.task.reopen}
      </button>
      {!isUnfinished(video) && (
        <button type="button" class="button button-danger" onClick={() => setAsks(true)}>
          <Trash2 size={16} aria-hidden />
          {texts.actions.delete}
        </button>
      )}
      <Confirm
        open={asks}
        title={texts.task.deleteTitle}
        text={texts.task.deleteText}
        action={texts.actions.delete}
        onConfirm={() => mutate()}
        onClose={() => setAsks(false)}
        isBusy={isPending}
        error={error}
      />
    </div>
  );
};
