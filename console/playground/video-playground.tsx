import { useRef, useState } from 'preact/hooks';
import { usePreference } from '../parts/preferences.ts';
import { Tabs } from '../parts/tabs.tsx';
import { further } from '../shell/further.ts';
import { lazyPage } from '../shell/lazy-page.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/initial-texts.ts';
import { useDraft, useDraftFiles } from './drafts.ts';
import { EmptyStage } from './empty-stage.tsx';
import { useCreateVideo } from './use-create-video.ts';
import { NO_FILES } from './video-fields.ts';
import { formOfVideo, readVideoForm, VIDEO_DRAFT } from './video-form.ts';
import { VideoFormPanel } from './video-form-panel.tsx';
import { VideoResult } from './video-result.tsx';

const VideoCodePanel = lazyPage(async () => (await further()).VideoCodePanel);

export const VideoPlayground = () => {
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
                content: <VideoCodePanel form={form} files={files} />,
              },
            ]}
          />
        </div>
      </div>
    </>
  );
};
