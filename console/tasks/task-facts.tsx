import type { ComponentChildren } from 'preact';
import { serverNow } from '../api/clock.ts';
import type { Video } from '../api/shapes.ts';
import { formatAge, formatSize, formatTime } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';
import { chargeText } from './task-row.tsx';

type Pair = readonly [string, ComponentChildren];

const parametersOf = ({ model, seconds, size, request }: Video): readonly Pair[] => [
  [texts.form.model, model],
  [texts.task.length, texts.form.secondsValue(Number(seconds))],
  [texts.task.size, formatSize(size)],
  ...(request?.mode === undefined
    ? []
    : [
        [
          texts.form.mode,
          Object.entries(texts.modes).find(([mode]) => mode === request.mode)?.[1] ?? request.mode,
        ] as const,
      ]),
  ...(request?.negative_prompt === undefined || request.negative_prompt === null
    ? []
    : [[texts.form.negativePrompt, request.negative_prompt] as const]),
  ...(request?.seed === undefined || request.seed === null ? [] : [[texts.form.seed, request.seed] as const]),
];

const chargeOf = (video: Video): string => {
  if (video.status === 'failed') return texts.task.notCharged;
  if (video.status !== 'completed') return texts.task.chargePending;
  return chargeText(video) ?? texts.task.noAmount;
};

const expiryText = (expiresAt: number): string =>
  texts.task.expiresIn(formatTime(expiresAt), formatAge(expiresAt, serverNow()));

const billingOf = (video: Video): readonly Pair[] => [
  ...(video.charge === undefined ? [] : [[texts.task.charge, chargeOf(video)] as const]),
  ...(video.expires_at === null ? [] : [[texts.task.expires, expiryText(video.expires_at)] as const]),
];

const Pairs = ({ pairs }: { readonly pairs: readonly Pair[] }) => (
  <dl class="pairs">
    {pairs.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd class="number" dir="auto">
          {value}
        </dd>
      </div>
    ))}
  </dl>
);

export const TaskFacts = ({ video }: { readonly video: Video }) => (
  <section class="card stack">
    <h2>{texts.task.parameters}</h2>
    <Pairs pairs={[...parametersOf(video), ...billingOf(video)]} />
  </section>
);
