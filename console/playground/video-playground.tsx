import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { usePreference } from '../parts/preferences.ts';
import { Tabs } from '../parts/tabs.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { useDraft, useDraftFiles } from './drafts.ts';
import { EmptyStage } from './empty-stage.tsx';
import { useCreateVideo } from './use-create-video.ts';
import type { VideoCodeProps } from './video-code-panel.tsx';
import { NO_FILES } from './video-fields.ts';
import { formOfVideo, readVideoForm, VIDEO_DRAFT } from './video-form.ts';
import { VideoFormPanel } from './video-form-panel.tsx';
import { VideoResult } from './video-result.tsx';

type Props = {
  /** Loaded later than this page. */
  readonly CodePanel: ComponentType<VideoCodeProps>;
};

export const VideoPlayground = ({ CodePanel }: Props) => {
  const [form, setForm] = useDraft(VIDEO_DRAFT, readVideoForm);
  const [files, setFiles] = useDraftFiles(VIDEO_DRAFT, NO_FILES);
  const [taskId, setTaskId] = usePreference('video-task');
  const [tab, setTab] = useState<'result' | 'code'>('result');
  const aside = useRef<HTMLDivElement>(null);
  const create = useCreateVideo((id) => {
    setTaskId(id);
    setTab('result');
    // On a narrow screen the result is below the form.
    aside.current?.scrollIntoView({ block: 'nearest' });
  });

  const result =
    taskId === undefined ? (
      <EmptyStage form={form} onExample={(prompt) => setForm({ prompt })} />
    ) : (
      <VideoResult key={taskId} id={taskId} onUseAgain={(video) => setForm(formOfVideo(video))} />
    );

  return (
    <>
      <PageTitle title={texts.video.title} description={texts.video.description} />
      <div class="split">
        <VideoFormPanel
          form={form}
          files={files}
          onChange={setForm}
          onFiles={setFiles}
          onSubmit={() => create.mutate({ form, files })}
          isSending={create.isPending}
          error={create.error}
        />
        <div ref={aside} class="card split-aside">
          <Tabs
            label={texts.video.title}
            chosen={tab}
            onChoose={setTab}
            tabs={[
              { name: 'result', label: texts.video.result, content: result },
              {
                name: 'code',
                label: texts.video.code,
                content: <CodePanel form={form} files={files} />,
              },
            ]}
          />
        </div>
      </div>
    </>
  );
};
