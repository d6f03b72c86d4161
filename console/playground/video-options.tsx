import {
  ASPECT_RATIOS,
  DURATIONS,
  RESOLUTIONS,
  VIDEO_MODELS,
} from '../../functions/platform/domain/models.ts';
import { Choices } from '../parts/choices.tsx';
import { Field } from '../parts/field.tsx';
import { RatioShape } from '../parts/ratio-shape.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts/first.ts';
import { videoPrice } from './price.ts';
import { eightSecondsReason, secondsOf, type VideoForm } from './video-form.ts';

type Props = { readonly form: VideoForm; readonly onChange: (change: Partial<VideoForm>) => void };

const ModelField = ({ form, onChange }: Props) => {
  const { prices } = useCurrentSession();
  const price = videoPrice(prices, form.model, 1);
  return (
    <Field label={texts.form.model} hint={price === undefined ? undefined : texts.form.modelPrice(price)}>
      {(control) => (
        <select
          {...control}
          value={form.model}
          onChange={({ currentTarget: { value } }) => {
            const model = VIDEO_MODELS.find((name) => name === value);
            if (model !== undefined) onChange({ model });
          }}
        >
          {VIDEO_MODELS.map((model) => (
            <option key={model} value={model}>
              {model}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
};

export const VideoOptions = ({ form, onChange }: Props) => {
  const reason = eightSecondsReason(form);
  return (
    <>
      <ModelField form={form} onChange={onChange} />
      <div class="options">
        <Choices
          legend={texts.form.resolution}
          value={form.resolution}
          choices={RESOLUTIONS.map((value) => ({ value, label: value }))}
          onChange={(resolution) => onChange({ resolution })}
        />
        <Choices
          legend={texts.form.seconds}
          value={secondsOf(form)}
          choices={DURATIONS.map((value) => ({
            value,
            label: texts.form.secondsValue(value),
            disabled: reason !== undefined && value !== 8,
          }))}
          reason={reason === undefined ? undefined : texts.form.secondsFixed(reason)}
          onChange={(seconds) => onChange({ seconds })}
        />
      </div>
      <Choices
        legend={texts.form.aspectRatio}
        value={form.aspectRatio}
        choices={ASPECT_RATIOS.map((value) => ({
          value,
          label: (
            <>
              <RatioShape ratio={value} />
              {texts.form.ratios[value]} {value}
            </>
          ),
        }))}
        onChange={(aspectRatio) => onChange({ aspectRatio })}
      />
    </>
  );
};
