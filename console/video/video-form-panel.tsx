import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { VIDEO_MODELS, videoModelEntry } from '../../functions/catalogue/domain/models.ts';
import { lazyPage, lazyPages } from '../lazy-page.tsx';
import { Choices, RatioChoices } from '../parts/choices.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { formatMoney, videoPrice } from '../parts/format.ts';
import { toFrame } from '../parts/input-images.ts';
import { Composer, type FormPanelProps, PromptField } from '../playground/playground-page.tsx';
import {
  actualSeconds,
  allowsNegativePrompt,
  findProblems,
  imageRoles,
  limitSeconds,
  modelOptions,
  VARIATIONS,
  type VideoFiles,
  type VideoForm,
  type VideoProblems,
} from '../playground/video-form.ts';
import type { VideoOffer } from '../playground/video-offer.ts';
import { useCurrentSession } from '../session/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

const DropZone = lazyPage(async () => (await lazyPages()).DropZone);
const ItemPicker = lazyPage(async () => (await lazyPages()).ItemPicker, true);
const PromptHistory = lazyPage(async () => (await lazyPages()).PromptHistory);

type Props = FormPanelProps<VideoForm, VideoFiles> & {
  /** Undefined if everything is offered. */
  readonly offer: VideoOffer | undefined;
  /** Below the button. */
  readonly note: ComponentChildren;
};

type FormProps = Pick<Props, 'form' | 'offer' | 'onChange'>;

export const VideoFormPanel = (props: Props) => {
  const { form, offer, files, onChange, onFiles } = props;
  const { prices } = useCurrentSession();
  const found = findProblems(form, files);
  return (
    <Composer
      isValid={
        Object.values(found).every((problem) => problem === undefined) && offer?.accepts(form) !== false
      }
      onSubmit={props.onSubmit}
      mutation={props.mutation}
      pendingLabel={texts.video.sending}
      count={form.variations}
      price={videoPrice(prices, form.model, actualSeconds(form) * form.variations)}
      note={props.note}
    >
      {(showProblems) => {
        const problems: VideoProblems = showProblems ? found : {};
        const { modes, maxReferences, aspectRatios } = videoModelEntry(form.model);
        const notOffered = offer?.limit(form, 'aspectRatio', aspectRatios).disabled ?? [];
        const frame = toFrame(
          form.aspectRatio,
          aspectRatios.filter((ratio) => !notOffered.includes(ratio)),
          (aspectRatio) => onChange({ aspectRatio }),
        );
        return (
          <>
            <Choices
              legend={texts.form.mode}
              long
              value={form.mode}
              choices={modes.map((value) => ({ value, label: texts.modes[value] }))}
              {...offer?.limit(form, 'mode', modes)}
              onChange={(mode) => onChange({ mode })}
            />
            {imageRoles(form).map((role) => (
              <DropZone
                key={role}
                label={texts.roleLabels[role](maxReferences)}
                most={role === 'references' ? maxReferences : 1}
                files={files[role]}
                Picker={ItemPicker}
                {...(role === 'references' ? {} : { frame })}
                onChange={(chosen) => onFiles({ ...files, [role]: chosen })}
              />
            ))}
            {problems.images !== undefined && (
              <p class="wrong" role="alert">
                {problems.images}
              </p>
            )}
            <PromptField
              value={form.prompt}
              hint={texts.form.promptHint}
              problem={problems.prompt}
              onChange={onChange}
              onCopyLink={async () => (await lazyPages()).copyVideoLink(form, files)}
              History={PromptHistory}
            />
            {form.seed !== '' && (
              <button
                type="button"
                class="chip"
                aria-label={texts.actions.remove(texts.video.seed(form.seed))}
                onClick={() => onChange({ seed: '' })}
              >
                {texts.video.seed(form.seed)}
                <X size={14} aria-hidden />
              </button>
            )}
            <ModelField form={form} offer={offer} onChange={onChange} />
            <FormatChoices form={form} offer={offer} onChange={onChange} />
            <Choices
              legend={texts.form.variations}
              value={form.variations}
              choices={VARIATIONS.map((value) => ({ value, label: value }))}
              reason={form.variations === 1 ? undefined : texts.form.variationsHint}
              onChange={(variations) => onChange({ variations })}
            />
            <MoreOptions form={form} offer={offer} problems={problems} onChange={onChange} />
          </>
        );
      }}
    </Composer>
  );
};

const ModelField = ({ form, offer, onChange }: FormProps) => {
  const { prices, offers } = useCurrentSession();
  const price = videoPrice(prices, form.model, 1);
  // A model that is no longer offered stays until another one is chosen.
  const models = VIDEO_MODELS.filter((model) => model === form.model || model in offers.video);
  return (
    <SelectField
      label={texts.form.model}
      hint={price === undefined ? undefined : texts.form.modelPrice(formatMoney(price, prices.currency))}
      problem={offer?.refuseModel(form.model)}
      value={form.model}
      options={models.map((model) => [model, model] as const)}
      onChange={(value) => {
        const model = models.find((name) => name === value);
        if (model !== undefined) onChange(modelOptions(model, form));
      }}
    />
  );
};

const FormatChoices = ({ form, offer, onChange }: FormProps) => {
  const { seconds: lengths, resolutions, aspectRatios } = videoModelEntry(form.model);
  return (
    <>
      <div class="options">
        <Choices
          legend={texts.form.resolution}
          value={form.resolution}
          choices={resolutions.map((value) => ({ value, label: value }))}
          {...offer?.limit(form, 'resolution', resolutions)}
          onChange={(resolution) => onChange({ resolution })}
        />
        <Choices
          legend={texts.form.seconds}
          value={actualSeconds(form)}
          choices={lengths.map((value) => ({ value, label: texts.form.secondsValue(value) }))}
          {...limitSeconds(form, offer?.limit(form, 'seconds', lengths))}
          onChange={(seconds) => onChange({ seconds })}
        />
      </div>
      <RatioChoices
        legend={texts.form.aspectRatio}
        value={form.aspectRatio}
        ratios={aspectRatios}
        names={texts.form.ratios}
        {...offer?.limit(form, 'aspectRatio', aspectRatios)}
        onChange={(aspectRatio) => onChange({ aspectRatio })}
      />
    </>
  );
};

type MoreProps = FormProps & { readonly problems: VideoProblems };

const MoreOptions = ({ form, offer, problems, onChange }: MoreProps) => {
  const { sample_generator } = useCurrentSession();
  const noNegativePrompt = allowsNegativePrompt(form)
    ? offer?.refuse(form, 'negativePrompt')
    : texts.form.negativePromptDisabled;
  const noSeed = offer?.refuse(form, 'seed');
  const isUsed = form.negativePrompt !== '' || form.seed !== '' || form.testPrompt !== '';
  return (
    <details class="more" open={isUsed}>
      <summary>{texts.form.more}</summary>
      <div class="stack">
        <TextField
          label={texts.form.negativePrompt}
          hint={noNegativePrompt ?? texts.form.negativePromptHint}
          dir="auto"
          value={noNegativePrompt === undefined ? form.negativePrompt : ''}
          disabled={noNegativePrompt !== undefined}
          onChange={(negativePrompt) => onChange({ negativePrompt })}
        />
        <TextField
          label={texts.form.seed}
          hint={noSeed ?? texts.form.seedHint}
          problem={problems.seed}
          disabled={noSeed !== undefined}
          inputMode="numeric"
          autoComplete="off"
          value={form.seed}
          onChange={(seed) => onChange({ seed: seed.trim() })}
        />
        {sample_generator && (
          <SelectField
            label={texts.testPrompts.title}
            hint={texts.testPrompts.hint}
            value={form.testPrompt}
            options={[
              ['', texts.testPrompts.none],
              ...texts.testPrompts.choices.map(({ prompt, label }) => [prompt, label] as const),
            ]}
            onChange={(testPrompt) => onChange({ testPrompt })}
          />
        )}
      </div>
    </details>
  );
};
