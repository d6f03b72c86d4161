import type { Video } from '../api/shapes.ts';
import { formatElapsed, formatTime } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';

type Step = { readonly label: string; readonly at: number };

const stepsOf = (video: Video): readonly Step[] => {
  const { created_at, submitted_at, generated_at, completed_at, failed_at } = video.timeline ?? {
    created_at: video.created_at,
    submitted_at: null,
    generated_at: null,
    completed_at: video.completed_at ?? null,
    failed_at: null,
  };
  return [
    [texts.task.steps.created, created_at] as const,
    [texts.task.steps.submitted, submitted_at] as const,
    [texts.task.steps.generated, generated_at] as const,
    [texts.task.steps.completed, completed_at] as const,
    [texts.task.steps.failed, failed_at] as const,
  ].flatMap(([label, at]) => (at === null ? [] : [{ label, at }]));
};

/** Where the time went: in the queue, in the generation, in storing. */
export const TaskTimeline = ({ video }: { readonly video: Video }) => {
  const steps = stepsOf(video);
  return (
    <section class="card stack">
      <h2>{texts.task.timeline}</h2>
      <ol class="timeline">
        {steps.map(({ label, at }, index) => {
          const before = steps[index - 1];
          return (
            <li key={label}>
              <span>{label}</span>
              <time class="quiet small" dateTime={new Date(at * 1000).toISOString()}>
                {formatTime(at)}
              </time>
              <span class="quiet small number">
                {before !== undefined && `+${formatElapsed((at - before.at) * 1000)}`}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
};
