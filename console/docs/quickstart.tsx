import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { truncate } from '../../functions/platform/domain/errors.ts';
import { serverNow } from '../api/clock.ts';
import { createQuery } from '../api/query.ts';
import { getJson, queryString } from '../api/request.ts';
import type { Page, Video } from '../api/shapes.ts';
import { useQuery } from '../api/use-query.ts';
import { CreateKey } from '../keys/create-key.tsx';
import { newKey, rememberNewKey } from '../keys/new-key.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { VideoCodePanel } from '../playground/video-code-panel.tsx';
import { NO_FILES } from '../playground/video-fields.ts';
import { EMPTY_VIDEO_FORM } from '../playground/video-form.ts';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts.ts';

const LISTEN_MS = 2500;
const MAX_SHOWN = 80;

const EXAMPLE = { ...EMPTY_VIDEO_FORM, prompt: texts.video.examples[0], seconds: 4 } as const;

/** The first task that arrives after the page was opened, made with the new key where there is one. */
const firstRequest = createQuery<[since: number, keyId: string | undefined], Video | null>(
  async (signal, [since, keyId]) => {
    const query = queryString({ limit: 1, api_key_id: keyId, created_after: since });
    const { data } = await getJson<Page<Video>>(`/v1/videos${query}`, signal);
    return data.find(({ created_at }) => created_at >= since) ?? null;
  },
  { pollMs: () => LISTEN_MS },
);

const Listening = ({ keyId }: { readonly keyId: string | undefined }) => {
  const [since] = useState(() => Math.floor(serverNow() / 1000));
  const { data: video, error } = useQuery(firstRequest, since, keyId);
  if (error !== null) return <ErrorProblem error={error} />;
  return (
    <div class="listening" role="status">
      {video === undefined || video === null ? (
        <span class="badge badge-in_progress">{texts.docs.waiting}</span>
      ) : (
        <>
          <StatusBadge status={video.status} />
          <Link href={`/tasks/${video.id}`}>{texts.docs.heard(truncate(video.prompt, MAX_SHOWN))}</Link>
        </>
      )}
    </div>
  );
};

export const Quickstart = () => {
  const { base_url } = useCurrentSession();
  const [key, setKey] = useState(newKey);
  const [creates, setCreates] = useState(false);
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
            <button type="button" class="button button-primary" onClick={() => setCreates(true)}>
              {texts.keys.create}
            </button>
          </div>
        ) : (
          <p class="hint">{texts.docs.keyNote}</p>
        )}
        <CreateKey
          open={creates}
          onClose={() => setCreates(false)}
          onCreated={(created) => {
            setCreates(false);
            rememberNewKey(created);
            setKey(created);
          }}
        />
      </li>
      <li class="stack">
        <h2>{texts.docs.step2}</h2>
        <VideoCodePanel form={EXAMPLE} files={NO_FILES} />
      </li>
      <li class="stack">
        <h2>{texts.docs.step3}</h2>
        <Listening keyId={key?.id} />
      </li>
    </ol>
  );
};
