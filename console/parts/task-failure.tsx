import type { Video } from '../api/shapes.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { Problem } from './problem.tsx';

const adviceFor = (code: string): string | undefined =>
  Object.entries(texts.task.advice).find(([name]) => name === code)?.[1];

export const TaskFailure = ({ video }: { readonly video: Video }) => {
  const { error } = video;
  const advice = error === null ? undefined : adviceFor(error.code);
  return (
    <div class="stack stack-tight">
      <Problem
        message={error?.message ?? texts.video.failed}
        details={error === null ? [] : [[texts.errors.code, error.code]]}
      />
      <section class="card advice">
        <h2>{texts.task.whatToDo}</h2>
        <p>{advice ?? texts.task.advice.internal}</p>
        <p class="quiet small">{texts.task.notCharged}</p>
      </section>
    </div>
  );
};
