import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { usePreference } from '../parts/storage.ts';
import { notifyError } from '../shell/notices.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import type { VideoCodeProps } from './code-panel.tsx';
import { useCreateVideos } from './create-videos.ts';
import { inAccount, useDraft, useDraftFiles } from './drafts.ts';
import { PlaygroundPage, type PlaygroundTab } from './playground-page.tsx';
import type { RecentVideosProps } from './recent-videos.tsx';
import { NO_FILES, readVideoForm, toVideoForm, VIDEO_DRAFT } from './video-form.ts';
import { VideoFormPanel } from './video-form-panel.tsx';
import { loadInputs } from './video-inputs.ts';
import { EmptyStage, VideoResult } from './video-result.tsx';

/** Parts that load later than this page. */
type Props = {
  readonly CodePanel: ComponentType<VideoCodeProps>;
  readonly RecentVideos: ComponentType<RecentVideosProps>;
};

export const VideoPlayground = ({ CodePanel, RecentVideos }: Props) => {
  const [form, setForm] = useDraft(VIDEO_DRAFT, readVideoForm);
  const [files, setFiles] = useDraftFiles(VIDEO_DRAFT, NO_FILES);
  const [taskId, setTaskId] = usePreference(inAccount('video-task'));
  const [tab, setTab] = useState<PlaygroundTab>('result');
  const aside = useRef<HTMLDivElement>(null);
  const show = (id: string): void => {
    setTaskId(id);
    setTab('result');
    // On a narrow screen the result is below the form.
    aside.current?.scrollIntoView({ block: 'nearest' });
  };
  const create = useCreateVideos(show);
  const fillAgain = async (video: VideoObject): Promise<void> => {
    const inputs = await loadInputs(video);
    setForm(toVideoForm(video));
    setFiles(inputs);
  };
  return (
    <PlaygroundPage
      title={texts.video.title}
      description={texts.video.description}
      onImages={() => setForm({ mode: 'first_frame' })}
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
        <div class="stack">
          <div class={taskId === undefined ? '' : 'strip-place'}>
            <RecentVideos shownId={taskId} onShow={show} />
          </div>
          {taskId === undefined ? (
            <EmptyStage form={form} onExample={(prompt) => setForm({ prompt })} />
          ) : (
            <VideoResult
              key={taskId}
              id={taskId}
              onUseAgain={(video) => void fillAgain(video).catch(notifyError)}
            />
          )}
        </div>
      }
      code={<CodePanel form={form} files={files} />}
      tab={tab}
      onTab={setTab}
      isSticky
      asideRef={aside}
    />
  );
};
