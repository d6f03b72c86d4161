import { useEffect, useState } from 'preact/hooks';
import { VIDEO_MODELS, videoModelEntry } from '../../functions/catalogue/domain/models.ts';
import { Plus } from '../page-icons.mjs';
import { Choices, RatioChoices } from '../parts/choices.tsx';
import { Problem, RoleNote } from '../parts/feedback.tsx';
import { SelectField } from '../parts/field.tsx';
import { formatMoney, videoPrice } from '../parts/format.ts';
import { readDraftFiles, saveDraftFiles } from '../playground/drafts.ts';
import { useShortage } from '../playground/playground-page.tsx';
import { modelOptions } from '../playground/video-form.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import {
  allStates,
  changeBoard,
  generate,
  isRunning,
  pause,
  STORYBOARD_DRAFT,
  shotVideo,
  useStoryboard,
} from './run-storyboard.ts';
import { Sequence } from './sequence.tsx';
import { ShotCard } from './shot-card.tsx';
import {
  type Storyboard as Board,
  findProblem,
  lastFrames,
  MAX_SHOTS,
  newShot,
  type ShotFiles,
  type ShotState,
  toForm,
} from './shots.ts';

const NO_FILES: ShotFiles = {};

const useShotFiles = (): readonly [ShotFiles, (files: ShotFiles) => void] => {
  const [files, setFiles] = useState(NO_FILES);
  useEffect(() => {
    void readDraftFiles(STORYBOARD_DRAFT, NO_FILES).then(setFiles);
  }, []);
  return [
    files,
    (next) => {
      setFiles(next);
      void saveDraftFiles(STORYBOARD_DRAFT, next);
    },
  ];
};

type SettingsProps = { readonly board: Board };

/** What all shots have in common. */
const BoardSettings = ({ board }: SettingsProps) => {
  const { offers } = useCurrentSession();
  const models = VIDEO_MODELS.filter((model) => model === board.model || model in offers.video);
  const { resolutions, aspectRatios } = videoModelEntry(board.model);
  return (
    <section class="card stack" aria-label={texts.storyboard.settings}>
      <SelectField
        label={texts.form.model}
        value={board.model}
        options={models.map((model) => [model, model] as const)}
        onChange={(value) => {
          const model = models.find((name) => name === value);
          if (model === undefined) return;
          const { resolution, aspectRatio } = modelOptions(model, board);
          changeBoard({ model, resolution, aspectRatio });
        }}
      />
      <div class="options">
        <Choices
          legend={texts.form.resolution}
          value={board.resolution}
          choices={resolutions.map((value) => ({ value, label: value }))}
          onChange={(resolution) => changeBoard({ resolution })}
        />
        <RatioChoices
          legend={texts.form.aspectRatio}
          value={board.aspectRatio}
          ratios={aspectRatios}
          onChange={(aspectRatio) => changeBoard({ aspectRatio })}
        />
      </div>
    </section>
  );
};

type BarProps = {
  readonly board: Board;
  readonly states: readonly ShotState[];
  readonly files: ShotFiles;
  readonly isBusy: boolean;
};

/** Generates all drafts for their price together, or stops. */
const RunBar = ({ board, states, files, isBusy }: BarProps) => {
  const { prices, sample_generator } = useCurrentSession();
  const [showsProblem, setShowsProblem] = useState(false);
  const isAllowed = useIsAllowed('create');
  const drafts = board.shots.flatMap((_, index) => (states[index] === 'draft' ? [index] : []));
  const seconds = drafts.reduce(
    (sum, index) => sum + toForm(board, index, lastFrames(files, board.shots, index).length > 0).seconds,
    0,
  );
  const price = videoPrice(prices, board.model, seconds);
  const shortage = useShortage(price);
  const problem = findProblem(board.shots, files);
  if (isBusy)
    return (
      <div class="row spread">
        <p role="status">{texts.storyboard.running}</p>
        <button type="button" class="button" onClick={pause}>
          {texts.storyboard.stop}
        </button>
      </div>
    );
  const label = texts.storyboard.generate(
    drafts.length,
    price === undefined ? undefined : formatMoney(price, prices.currency),
  );
  const start = (): void => {
    setShowsProblem(problem !== undefined);
    if (problem === undefined) generate();
  };
  return (
    <div class="stack stack-tight">
      {showsProblem && problem !== undefined && (
        <p class="wrong" role="alert">
          {(problem.kind === 'prompt' ? texts.storyboard.promptMissing : texts.storyboard.imageMissing)(
            problem.index + 1,
          )}
        </p>
      )}
      {drafts.length > 0 && (
        <button
          type="button"
          class="button button-primary number"
          disabled={!isAllowed || shortage !== undefined || states.includes('failed')}
          onClick={start}
        >
          {shortage === undefined ? label : texts.budget.exceeds(label, shortage)}
        </button>
      )}
      <RoleNote action="create" />
      {drafts.length > 0 && price !== undefined && sample_generator && (
        <p class="hint">{texts.video.samplePrice}</p>
      )}
    </div>
  );
};

export const Storyboard = () => {
  const board = useStoryboard();
  const { shots, problem } = board;
  const [files, setFiles] = useShotFiles();
  const states = allStates();
  const isBusy = isRunning();
  const videos = shots.flatMap((shot, index) => {
    const video = shotVideo(shot);
    return states[index] === 'completed' && video !== undefined ? [video] : [];
  });
  const move = (index: number, step: number): void => {
    const [shot] = shots.slice(index, index + 1);
    if (shot !== undefined)
      changeBoard({ shots: shots.toSpliced(index, 1).toSpliced(index + step, 0, shot) });
  };
  const changeRatio = (ratio: string): void => {
    const aspectRatio = videoModelEntry(board.model).aspectRatios.find((known) => known === ratio);
    if (aspectRatio !== undefined) changeBoard({ aspectRatio });
  };
  return (
    <>
      <PageTitle title={texts.storyboard.title} description={texts.storyboard.description} />
      <div class="split">
        <div class="stack">
          {!isBusy && videos.length === 0 && <BoardSettings board={board} />}
          <ol class="stack shots">
            {shots.map((shot, index) => (
              <ShotCard
                key={shot.id}
                board={board}
                index={index}
                state={states[index] ?? 'draft'}
                isLocked={isBusy}
                files={files}
                onFiles={setFiles}
                onMove={(step) => move(index, step)}
                onRemove={() => changeBoard({ shots: shots.toSpliced(index, 1) })}
                onRatio={changeRatio}
              />
            ))}
          </ol>
          {!isBusy && shots.length < MAX_SHOTS && (
            <div>
              <button
                type="button"
                class="button"
                onClick={() => changeBoard({ shots: [...shots, newShot('continue')] })}
              >
                <Plus size={16} aria-hidden />
                {texts.storyboard.add}
              </button>
            </div>
          )}
          {problem !== undefined && <Problem message={problem.message} />}
          <RunBar board={board} states={states} files={files} isBusy={isBusy} />
        </div>
        <section class="card split-aside stack" aria-labelledby="sequence">
          <h2 id="sequence">{texts.storyboard.sequence}</h2>
          <Sequence videos={videos} />
        </section>
      </div>
    </>
  );
};
