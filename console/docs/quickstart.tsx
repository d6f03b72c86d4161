import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { truncate } from '../../functions/platform/domain/text.ts';
import type { VideoList } from '../../functions/videos/api/video-list.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { serverNow } from '../api/clock.ts';
import { useQuery } from '../api/hooks.ts';
import { createQuery } from '../api/query.ts';
import { getJson, queryString } from '../api/request.ts';
import { CreateKeyForm, getLatestKey } from '../keys/key-dialogs.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ErrorProblem } from '../parts/feedback.tsx';
import { LANGUAGES } from '../parts/program.ts';
import { StatusBadge } from '../parts/video-stage.tsx';
import { VideoCodePanel } from '../playground/code-panel.tsx';
import { NO_FILES } from '../playground/video-form.ts';
import { useCurrentSession } from '../session/session.ts';
import { usePreference } from '../session/storage.ts';
import { texts } from '../texts/texts.ts';
import { exampleVideo } from './offered-sample.ts';

const POLL_MS = 2500;
const MAX_PROMPT_SHOWN = 80;

/** The first task created after the page was opened, with the new key if there is one. */
const firstRequest = createQuery<[since: number, keyId: string | undefined], VideoObject | null>(
  async (signal, [since, keyId]) => {
    const query = queryString({ limit: 1, api_key_id: keyId, created_after: since });
    const { data } = await getJson<VideoList>(`/v1/videos${query}`, signal);
    return data.find(({ created_at }) => created_at >= since) ?? null;
  },
  { pollMs: () => POLL_MS },
);

const FirstRequest = ({ keyId }: { readonly keyId: string | undefined }) => {
  const [since] = useState(() => Math.floor(serverNow() / 1000));
  const { data: video, error } = useQuery(firstRequest, since, keyId);
  if (error !== null) return <ErrorProblem error={error} />;
  return (
    <div class="row breaks listening" role="status">
      {video === undefined || video === null ? (
        <span class="badge badge-in_progress">{texts.docs.waiting}</span>
      ) : (
        <>
          <StatusBadge status={video.status} />
          <Link href={`/library/${video.id}`}>
            {texts.docs.received(truncate(video.prompt, MAX_PROMPT_SHOWN))}
          </Link>
        </>
      )}
    </div>
  );
};

const HowToRun = () => {
  const [stored] = usePreference('language');
  const language = LANGUAGES.find((name) => name === stored) ?? 'curl';
  const command = texts.docs.run.commands[language];
  return (
    <>
      <p>{texts.docs.run.texts[language]}</p>
      {command !== undefined && <CodeBlock code={command} label={texts.docs.run.label} />}
    </>
  );
};

const CreateVideo = ({ keyId }: { readonly keyId: string | undefined }) => {
  const example = exampleVideo(useCurrentSession().offers);
  if (example === undefined)
    return (
      <li class="stack">
        <h2>{texts.docs.step2}</h2>
        <p>{texts.notOffered.videos}</p>
      </li>
    );
  return (
    <>
      <li class="stack">
        <h2>{texts.docs.step2}</h2>
        <VideoCodePanel form={example} files={NO_FILES} />
        <HowToRun />
      </li>
      <li class="stack">
        <h2>{texts.docs.step3}</h2>
        <FirstRequest keyId={keyId} />
        <p>{texts.docs.downloaded}</p>
      </li>
    </>
  );
};

export const Quickstart = () => {
  const { base_url } = useCurrentSession();
  const [key, setKey] = useState(getLatestKey);
  return (
    <ol class="steps">
      <li class="stack">
        <h2>{texts.docs.step1}</h2>
        <CodeBlock
          code={`export BASE_URL=${base_url}\nexport API_KEY=${key?.value ?? 'mgk_…'}`}
          label={texts.docs.step1}
        />
        {key === undefined ? (
          <div>
            <DialogButton label={texts.keys.create} kind="button-primary">
              {(close) => <CreateKeyForm onClose={close} onCreated={setKey} />}
            </DialogButton>
          </div>
        ) : (
          <p class="hint">{texts.docs.keyNote}</p>
        )}
      </li>
      <CreateVideo keyId={key?.id} />
    </ol>
  );
};
