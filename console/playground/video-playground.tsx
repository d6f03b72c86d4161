import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { withImages } from '../api/image-files.ts';
import { withRetries } from '../api/retries.ts';
import { useMutation } from '../api/use-mutation.ts';
import { createVideo, videoPages, videos } from '../api/videos.ts';
import { usePreference } from '../parts/preferences.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { useDraft, useDraftFiles } from './drafts.ts';
import { PlaygroundPage, type PlaygroundTab } from './playground-page.tsx';
import type { VideoCodeProps } from './video-code-panel.tsx';
import {
  fileFields,
  NO_FILES,
  readVideoForm,
  toFormData,
  toVideoForm,
  VIDEO_DRAFT,
  type VideoFiles,
  type VideoForm,
} from './video-form.ts';
import { VideoFormPanel } from './video-form-panel.tsx';
import { EmptyStage, VideoResult } from './video-result.tsx';

type Input = { readonly form: VideoForm; readonly files: VideoFiles };

/** Repeating an unchanged form reuses its idempotency key, so that a lost response does not cause a second video. */
const useCreateVideo = (onCreated: (id: string) => void) => {
  const last = useRef<(Input & { readonly key: string }) | undefined>(undefined);
  return useMutation(
    ({ form, files }: Input) => {
      if (last.current?.form !== form || last.current.files !== files)
        last.current = { form, files, key: crypto.randomUUID() };
      const { key } = last.current;
      const fields = fileFields(form, files);
      return withImages(
        fields.map(([, file]) => file),
        (images) => {
          const named = images.map((image, index) => [fields[index]?.[0] ?? '', image] as const);
          return withRetries(() => createVideo(toFormData(form, named), key));
        },
      );
    },
    (video) => {
      last.current = undefined;
      videos.entry(video.id).set(video);
      void videoPages.invalidate();
      onCreated(video.id);
    },
  );
};

type Props = {
  /** Loaded later than this page. */
  readonly CodePanel: ComponentType<VideoCodeProps>;
};

export const VideoPlayground = ({ CodePanel }: Props) => {
  const [form, setForm] = useDraft(VIDEO_DRAFT, readVideoForm);
  const [files, setFiles] = useDraftFiles(VIDEO_DRAFT, NO_FILES);
  const [taskId, setTaskId] = usePreference('video-task');
  const [tab, setTab] = useState<PlaygroundTab>('result');
  const aside = useRef<HTMLDivElement>(null);
  const create = useCreateVideo((id) => {
    setTaskId(id);
    setTab('result');
    // On a narrow screen the result is below the form.
    aside.current?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <PlaygroundPage
      title={texts.video.title}
      description={texts.video.description}
      form={
        <VideoFormPanel
          form={form}
          files={files}
          onChange={setForm}
          onFiles={setFiles}
          onSubmit={() => create.mutate({ form, files })}
          isPending={create.isPending}
          error={create.error}
        />
      }
      resultLabel={texts.video.result}
      result={
        taskId === undefined ? (
          <EmptyStage form={form} onExample={(prompt) => setForm({ prompt })} />
        ) : (
          <VideoResult key={taskId} id={taskId} onUseAgain={(video) => setForm(toVideoForm(video))} />
        )
      }
      code={<CodePanel form={form} files={files} />}
      tab={tab}
      onTab={setTab}
      isSticky
      asideRef={aside}
    />
  );
};
