import { useState } from 'preact/hooks';
import { VIDEO_MODELS, videoModelEntry } from '../../functions/catalogue/domain/models.ts';
import { Plus } from '../page-icons.mjs';
import { Button } from '../parts/buttons.tsx';
import { Choices, RatioChoices } from '../parts/choices.tsx';
import { Problem, RoleNote } from '../parts/feedback.tsx';
import { SelectField } from '../parts/field.tsx';
import { formatMoney, videoPrice } from '../parts/format.ts';
import { toFrame } from '../parts/input-images.ts';
import { NoVideos } from '../parts/not-offered.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useDraftFiles } from '../playground/drafts.ts';
import { useShortage } from '../playground/playground-page.tsx';
import { useVideoOffer } from '../playground/use-video-offer.ts';
import { FORM_RULES, modelOptions, type VideoForm } from '../playground/video-form.ts';
import type { VideoOffer } from '../playground/video-offer.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
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
  findProblem,
  lastFrames,
  limitStarts,
  MAX_SHOTS,
  newShot,
  type ShotFiles,
  type ShotState,
  type Storyboard as StoredBoard,
  toForm,
} from './shots.ts';

const NO_FILES: ShotFiles = {};

type SettingsProps = {
  readonly board: StoredBoard;
  readonly offer: VideoOffer;
  readonly forms: readonly VideoForm[];
};

/** Values that one of the shots cannot have, and why. */
const limitAll = <Name extends 'resolution' | 'aspectRatio'>(
  { offer, forms }: SettingsProps,
  name: Name,
  values: readonly VideoForm[Name][],
) => {
  const limits = forms
    .map((form) => ({ ...offer.limit(form, name, values), value: form[name] }))
    .filter(({ disabled }) => disabled.length > 0);
  return {
    disabled: limits.flatMap(({ disabled }) => disabled),
    reason: (limits.find(({ disabled, value }) => disabled.includes(value)) ?? limits[0])?.reason,
  };
};

const BoardSettings = (props: SettingsProps) => {
  const { board, offer } = props;
  const models = VIDEO_MODELS.filter((model) => model === board.model || offer.models.includes(model));
  const { resolutions, aspectRatios } = videoModelEntry(board.model);
  return (
    <section class="card stack" aria-label={texts.storyboard.settings}>
      <SelectField
        label={texts.form.model}
        value={board.model}
        problem={offer.refuseModel(board.model)}
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
          {...limitAll(props, 'resolution', resolutions)}
          onChange={(resolution) => changeBoard({ resolution })}
        />
        <RatioChoices
          legend={texts.form.aspectRatio}
          value={board.aspectRatio}
          ratios={aspectRatios}
          {...limitAll(props, 'aspectRatio', aspectRatios)}
          onChange={(aspectRatio) => changeBoard({ aspectRatio })}
        />
      </div>
    </section>
  );
};

type BarProps = {
  readonly board: StoredBoard;
  readonly states: readonly ShotState[];
  readonly forms: readonly VideoForm[];
  readonly problem: ReturnType<typeof findProblem>;
  readonly isBusy: boolean;
};

/** Generates all drafts for their price together, or stops. */
const RunBar = ({ board, states, forms, problem, isBusy }: BarProps) => {
  const { prices, sample_generator } = useCurrentSession();
  const [showsProblem, setShowsProblem] = useState(false);
  const isAllowed = useIsAllowed('create');
  const seconds = forms.reduce((sum, form) => sum + form.seconds, 0);
  const price = videoPrice(prices, board.model, seconds);
  const shortage = useShortage(price);
  const label = texts.storyboard.generate(
    forms.length,
    price === undefined ? undefined : formatMoney(price, prices.currency),
  );
  const start = (): void => {
    setShowsProblem(problem !== undefined);
    if (problem === undefined) generate();
  };
  return (
    <div class="stack stack-tight">
      {showsProblem && !isBusy && problem !== undefined && (
        <p class="wrong" role="alert">
          {texts.storyboard.problems[problem.kind](problem.index + 1)}
        </p>
      )}
      <p role="status">{isBusy && texts.storyboard.running}</p>
      {/* One button, which keeps the focus. */}
      {(isBusy || forms.length > 0) && (
        <button
          type="button"
          class={`button number ${isBusy ? '' : 'button-primary'}`}
          disabled={!isBusy && (!isAllowed || shortage !== undefined || states.includes('failed'))}
          onClick={isBusy ? pause : start}
        >
          {isBusy
            ? texts.storyboard.stop
            : shortage === undefined
              ? label
              : texts.budget.exceeds(label, shortage)}
        </button>
      )}
      <RoleNote action="create" />
      {!isBusy && forms.length > 0 && price !== undefined && sample_generator && (
        <p class="hint">{texts.video.samplePrice}</p>
      )}
    </div>
  );
};

const Board = ({ offer }: { readonly offer: VideoOffer }) => {
  const board = useStoryboard(offer);
  const { shots, problem } = board;
  const [files, setFiles] = useDraftFiles(STORYBOARD_DRAFT, NO_FILES);
  const states = allStates();
  /** Those of the shots that are not generated yet. */
  const forms = shots.flatMap((_, index) =>
    states[index] === 'draft' ? [toForm(board, index, lastFrames(files, shots, index).length > 0)] : [],
  );
  const isBusy = isRunning();
  const videos = shots.flatMap((shot, index) => {
    const video = shotVideo(shot);
    return states[index] === 'completed' && video !== undefined ? [video] : [];
  });
  const { aspectRatios } = videoModelEntry(board.model);
  const refused = forms.flatMap((form) => offer.limit(form, 'aspectRatio', aspectRatios).disabled);
  const frame = toFrame(
    board.aspectRatio,
    aspectRatios.filter((ratio) => !refused.includes(ratio)),
    (aspectRatio) => changeBoard({ aspectRatio }),
  );
  const add = (): void => {
    const last = shots.at(-1);
    const form = toForm(board, shots.length - 1, false);
    const start = limitStarts(offer, form).disabled.includes('continue') ? 'text' : 'continue';
    changeBoard({ shots: [...shots, newShot(start, last?.seconds ?? form.seconds)] });
  };
  return (
    <>
      <PageTitle title={texts.navigation.storyboard} description={texts.storyboard.description} />
      <div class="split">
        <div class="stack">
          {!isBusy && videos.length === 0 && <BoardSettings board={board} offer={offer} forms={forms} />}
          <ol class="stack shots">
            {shots.map((shot, index) => (
              <ShotCard
                key={shot.id}
                board={board}
                offer={offer}
                index={index}
                files={files}
                onFiles={setFiles}
                frame={frame}
              />
            ))}
          </ol>
          {!isBusy && shots.length < MAX_SHOTS && (
            <div>
              <Button icon={Plus} onClick={add}>
                {texts.storyboard.add}
              </Button>
            </div>
          )}
          {problem !== undefined && <Problem message={problem.message} />}
          <RunBar
            board={board}
            states={states}
            forms={forms}
            problem={findProblem(board, files, offer)}
            isBusy={isBusy}
          />
        </div>
        <section class="card split-aside stack" aria-labelledby="sequence">
          <h2 id="sequence">{texts.storyboard.sequence}</h2>
          <Sequence videos={videos} />
        </section>
      </div>
    </>
  );
};

export const Storyboard = () => {
  const offer = useVideoOffer(FORM_RULES);
  return offer.models.length === 0 ? (
    <NoVideos title={texts.navigation.storyboard} />
  ) : (
    <Board offer={offer} />
  );
};
