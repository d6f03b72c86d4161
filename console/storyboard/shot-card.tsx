import { videoModelEntry } from '../../functions/catalogue/domain/models.ts';
import { ItemPicker } from '../library/item-picker.tsx';
import { ArrowDown, ArrowUp, Trash2 } from '../page-icons.mjs';
import { IconButton, SmallButton } from '../parts/buttons.tsx';
import { Choices } from '../parts/choices.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { TextArea } from '../parts/field.tsx';
import type { FrameOptions } from '../parts/input-images.ts';
import { VideoFailure } from '../parts/video-failure.tsx';
import { VideoStage } from '../parts/video-stage.tsx';
import { limitSeconds } from '../playground/video-form.ts';
import type { VideoOffer } from '../playground/video-offer.ts';
import { texts } from '../texts/texts.ts';
import { changeBoard, changeShot, clearShot, generate, isRunning, shotVideo } from './run-storyboard.ts';
import {
  effectiveStart,
  limitStarts,
  type Shot,
  type ShotFiles,
  type ShotState,
  STARTS,
  type Storyboard,
  shotState,
  toForm,
} from './shots.ts';

type Props = {
  readonly board: Storyboard;
  readonly offer: VideoOffer;
  readonly index: number;
  readonly files: ShotFiles;
  readonly onFiles: (files: ShotFiles) => void;
  readonly frame: FrameOptions;
};

const NO_FRAMES = { first: [], last: [] } as const;

type FormProps = Props & { readonly shot: Shot };

const Frames = ({ board, offer, shot, index, files, onFiles, frame }: FormProps) => {
  const start = effectiveStart(board.shots, index);
  const own = files[shot.id] ?? NO_FRAMES;
  const { reason } = offer.limit(toForm(board, index, true), 'mode', ['first_and_last_frame']);
  const hasLast = reason === undefined || own.last.length > 0;
  return (
    <>
      {start !== 'text' && reason !== undefined && <p class={hasLast ? 'wrong' : 'hint'}>{reason}</p>}
      {(['first', 'last'] as const)
        .filter((role) => (role === 'first' ? start === 'image' : start !== 'text' && hasLast))
        .map((role) => (
          <DropZone
            key={role}
            label={texts.storyboard[role]}
            most={1}
            files={own[role]}
            frame={frame}
            Picker={ItemPicker}
            onChange={(chosen) => onFiles({ ...files, [shot.id]: { ...own, [role]: chosen } })}
          />
        ))}
    </>
  );
};

const ShotForm = (props: FormProps) => {
  const { board, offer, shot, index } = props;
  const form = toForm(board, index, false);
  const starts = limitStarts(offer, form);
  const lengths = videoModelEntry(board.model).seconds;
  return (
    <>
      <TextArea
        label={texts.form.prompt}
        dir="auto"
        rows={2}
        value={shot.prompt}
        onChange={(prompt) => changeShot(shot.id, { prompt })}
      />
      <Choices
        legend={texts.storyboard.start}
        value={effectiveStart(board.shots, index)}
        choices={STARTS.map((value) => ({ value, label: texts.storyboard.starts[value] }))}
        {...starts}
        disabled={index === 0 ? [...starts.disabled, 'continue'] : starts.disabled}
        onChange={(start) => changeShot(shot.id, { start })}
      />
      <Choices
        legend={texts.form.seconds}
        value={form.seconds}
        choices={lengths.map((value) => ({ value, label: texts.form.secondsValue(value) }))}
        {...limitSeconds(form, offer.limit(form, 'seconds', lengths))}
        onChange={(seconds) => changeShot(shot.id, { seconds })}
      />
      <Frames {...props} />
    </>
  );
};

type ChoiceProps = { readonly shot: Shot; readonly state: ShotState; readonly isLocked: boolean };

/** A failure stops the strip: try again, or go on without the shot. */
const ShotActions = ({ shot, state, isLocked }: ChoiceProps) => {
  if (isLocked || state === 'draft' || state === 'running') return null;
  return (
    <div class="row">
      {state === 'failed' && (
        <>
          <SmallButton
            kind="button-primary"
            onClick={() => {
              clearShot(shot.id);
              generate();
            }}
          >
            {texts.storyboard.tryAgain}
          </SmallButton>
          <SmallButton
            onClick={() => {
              changeShot(shot.id, { isSkipped: true });
              generate();
            }}
          >
            {texts.storyboard.skip}
          </SmallButton>
        </>
      )}
      <SmallButton onClick={() => clearShot(shot.id)}>{texts.storyboard.change}</SmallButton>
    </div>
  );
};

export const ShotCard = (props: Props) => {
  const { index } = props;
  const { shots } = props.board;
  const shot = shots[index];
  if (shot === undefined) return null;
  const [number, count] = [index + 1, shots.length];
  const video = shotVideo(shot);
  const state = shotState(shot, video);
  // Nothing can be changed while shots are generated.
  const isLocked = isRunning();
  const others = shots.toSpliced(index, 1);
  const move = (step: number): void => changeBoard({ shots: others.toSpliced(index + step, 0, shot) });
  const button = (icon: typeof ArrowUp, label: string, disabled: boolean, onClick: () => void) => (
    <IconButton icon={icon} aria-label={label} disabled={disabled} onClick={onClick} />
  );
  return (
    <li class="card stack" aria-label={texts.storyboard.shot(number)}>
      <div class="row spread">
        <h2>{texts.storyboard.shot(number)}</h2>
        <div class="row">
          <span class={`badge badge-${state === 'running' ? 'in_progress' : state}`}>
            {texts.storyboard.states[state]}
          </span>
          {!isLocked && (
            <>
              {button(ArrowUp, texts.storyboard.up(number), index === 0, () => move(-1))}
              {button(ArrowDown, texts.storyboard.down(number), number === count, () => move(1))}
              {button(Trash2, texts.actions.remove(texts.storyboard.shot(number)), count === 1, () =>
                changeBoard({ shots: others }),
              )}
            </>
          )}
        </div>
      </div>
      {state === 'draft' && !isLocked ? (
        <ShotForm {...props} shot={shot} />
      ) : (
        <p class="prompt-text" dir="auto">
          {shot.prompt}
        </p>
      )}
      {video !== undefined && state !== 'skipped' && <VideoStage video={video} Failure={VideoFailure} />}
      <ShotActions shot={shot} state={state} isLocked={isLocked} />
    </li>
  );
};
