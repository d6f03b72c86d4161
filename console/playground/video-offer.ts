import type { VideoCapabilities } from '../../functions/catalogue/domain/models.ts';
import { VIDEO_MODELS, type VideoModel } from '../../functions/catalogue/domain/models.ts';
import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import { isOneOf } from '../../functions/platform/domain/text.ts';
import { modelNotOffered, VIDEO_NEEDS, type VideoNeeds } from '../../functions/upstream/domain/needs.ts';
import { findRefusal, type Refusal } from '../../functions/videos/domain/offered.ts';
import type { FormRules, VideoForm } from './video-form.ts';

/**
 * What a deployment that does not offer everything accepts. It refuses the same as the server, in the same words. The
 * rules of the form are passed in, because this file is loaded apart from the first page, which contains them.
 */

type Choice = 'mode' | 'resolution' | 'seconds' | 'aspectRatio';

const usual = <Value>(value: Value, offered: readonly Value[] = [value]): Value =>
  offered.includes(value) ? value : (offered[0] ?? value);

/** One sentence for each conflict: it also names what is offered instead of other values. */
const explain = (refusals: readonly Refusal[]): string | undefined => {
  const conflicts = refusals.map(({ conflict }) => conflict.join());
  const first = refusals.filter(({ conflict }, index) => conflicts.indexOf(conflict.join()) === index);
  return first.length === 0 ? undefined : first.map(({ message }) => message).join(' ');
};

type Sets = CurrentSessionObject['offers']['video'];
type Option = 'negativePrompt' | 'seed';

export const createVideoOffer = (offered: Sets, { toNeeds, empty }: FormRules) => {
  const models = VIDEO_MODELS.filter((model) => model in offered);
  const findSets = (model: VideoModel): readonly VideoCapabilities[] =>
    (offered[model] ?? []).map(({ aspect_ratios, negative_prompt, seconds_by_mode, ...can }) => ({
      ...can,
      aspectRatios: aspect_ratios,
      lastFrameSeconds: seconds_by_mode.first_and_last_frame,
      negativePrompt: negative_prompt,
    }));
  const refuseModel = (model: VideoModel) =>
    models.includes(model) ? undefined : modelNotOffered(model, models);

  /** Why the option is not offered beside the earlier ones, or at all if those are already in conflict. */
  const findLast = ({ model }: VideoForm, needs: VideoNeeds, need: keyof VideoNeeds): Refusal | undefined => {
    if (!models.includes(model)) return undefined;
    const sets = findSets(model);
    const earlier = VIDEO_NEEDS.slice(0, VIDEO_NEEDS.indexOf(need) + 1);
    const refusal = findRefusal(model, sets, needs, earlier);
    return refusal?.need === need ? refusal : findRefusal(model, sets, needs, [need]);
  };
  /** Why the form cannot have this option; undefined if it can. */
  const refuse = (form: VideoForm, option: Option) =>
    findLast(form, { ...toNeeds(form), [option]: true }, option)?.message;
  const without = (form: VideoForm, option: Option): VideoForm =>
    form[option] === '' || refuse(form, option) === undefined ? form : { ...form, [option]: '' };
  return {
    models,
    refuseModel,
    /**
     * Choices of a group that cannot be made, and the reasons, that of the chosen one first. Earlier choices limit later
     * ones, so that every choice can be changed.
     */
    limit: <Name extends Choice>(form: VideoForm, name: Name, values: readonly VideoForm[Name][]) => {
      const needs = toNeeds(form);
      const refusals = values.flatMap((value) => {
        const refusal = findLast(form, { ...needs, [name]: value }, name);
        return refusal === undefined ? [] : [{ ...refusal, value, isChosen: Object.is(value, needs[name]) }];
      });
      return {
        disabled: refusals.map(({ value }) => value),
        reason: explain(refusals.toSorted((one, other) => Number(other.isChosen) - Number(one.isChosen))),
      };
    },
    refuse,
    accepts: (form: VideoForm): boolean =>
      models.includes(form.model) &&
      findRefusal(form.model, findSets(form.model), toNeeds(form)) === undefined,
    /** The form without options that it cannot have, as it is sent. */
    fit: (form: VideoForm): VideoForm => without(without(form, 'negativePrompt'), 'seed'),
    /** The values of a new form, with this model if it is one. */
    start: (given: unknown): Partial<VideoForm> => {
      const model = isOneOf(VIDEO_MODELS, given) ? given : usual(empty.model, models);
      const [can] = findSets(model);
      return {
        model,
        mode: usual(empty.mode, can?.modes),
        seconds: usual(empty.seconds, can?.seconds),
        resolution: usual(empty.resolution, can?.resolutions),
        aspectRatio: usual(empty.aspectRatio, can?.aspectRatios),
      };
    },
  };
};

export type VideoOffer = ReturnType<typeof createVideoOffer>;
