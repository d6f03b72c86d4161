import type { VideoCapabilities } from '../../functions/catalogue/domain/models.ts';
import { VIDEO_MODELS, type VideoModel } from '../../functions/catalogue/domain/models.ts';
import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import { isOneOf } from '../../functions/platform/domain/text.ts';
import {
  modelNotOffered,
  VIDEO_NEEDS,
  type VideoNeeds,
} from '../../functions/upstream/domain/capabilities.ts';
import { findRefusal, type Refusal } from '../../functions/videos/domain/offered.ts';
import type { FormRules, VideoForm } from './video-form.ts';

/**
 * What a deployment that does not offer everything accepts. It refuses the same as the server, in the same words. The
 * rules of the form are passed in, because this file is loaded apart from the first page, which contains them.
 */

type Need = keyof VideoNeeds;
type Choice = 'mode' | 'resolution' | 'seconds' | 'aspectRatio';

/** Choices of a group that cannot be made, and the reasons; that of the chosen one first. */
type Limit<Value> = { readonly disabled: readonly Value[]; readonly reason: string | undefined };

export type VideoOffer = {
  readonly models: readonly VideoModel[];
  readonly refuseModel: (model: VideoModel) => string | undefined;
  /** Earlier choices limit later ones, so that every choice can be changed. */
  readonly limit: <Name extends Choice>(
    form: VideoForm,
    name: Name,
    values: readonly VideoForm[Name][],
  ) => Limit<VideoForm[Name]>;
  /** Why the form cannot have this option; undefined if it can. */
  readonly refuse: (form: VideoForm, option: 'negativePrompt' | 'seed') => string | undefined;
  readonly accepts: (form: VideoForm) => boolean;
  /** The form without options that it cannot have, as it is sent. */
  readonly fit: (form: VideoForm) => VideoForm;
  /** The values of a new form, with this model if it is one. */
  readonly start: (model: unknown) => Partial<VideoForm>;
};

const usual = <Value>(value: Value, offered: readonly Value[] = [value]): Value =>
  offered.includes(value) ? value : (offered[0] ?? value);

/** One sentence for each conflict: it also names what is offered instead of other values. */
const explain = (refusals: readonly Refusal[]): string | undefined => {
  const conflicts = refusals.map(({ conflict }) => conflict.join());
  const first = refusals.filter(({ conflict }, index) => conflicts.indexOf(conflict.join()) === index);
  return first.length === 0 ? undefined : first.map(({ message }) => message).join(' ');
};

type Sets = CurrentSessionObject['offers']['video'];

export const createVideoOffer = (offered: Sets, { toNeeds, empty }: FormRules): VideoOffer => {
  const models = VIDEO_MODELS.filter((model) => model in offered);
  const findSets = (model: VideoModel): readonly VideoCapabilities[] =>
    (offered[model] ?? []).map(({ aspect_ratios, negative_prompt, ...can }) => ({
      ...can,
      aspectRatios: aspect_ratios,
      negativePrompt: negative_prompt,
    }));
  const refuseModel = (model: VideoModel) =>
    models.includes(model) ? undefined : modelNotOffered(model, models);

  /** Why the option is not offered beside the earlier ones, or at all if those are already in conflict. */
  const findLast = ({ model }: VideoForm, needs: VideoNeeds, need: Need): Refusal | undefined => {
    if (!models.includes(model)) return undefined;
    const sets = findSets(model);
    const earlier = VIDEO_NEEDS.slice(0, VIDEO_NEEDS.indexOf(need) + 1);
    const refusal = findRefusal(model, sets, needs, earlier);
    return refusal?.need === need ? refusal : findRefusal(model, sets, needs, [need]);
  };
  const refuse = (form: VideoForm, option: 'negativePrompt' | 'seed') =>
    findLast(form, { ...toNeeds(form), [option]: true }, option)?.message;
  const without = (form: VideoForm, option: 'negativePrompt' | 'seed'): VideoForm =>
    form[option] === '' || refuse(form, option) === undefined ? form : { ...form, [option]: '' };
  return {
    models,
    refuseModel,
    limit: (form, name, values) => {
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
    accepts: (form) =>
      models.includes(form.model) &&
      findRefusal(form.model, findSets(form.model), toNeeds(form)) === undefined,
    fit: (form) => without(without(form, 'negativePrompt'), 'seed'),
    start: (given) => {
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
