import { joinWords } from '../../platform/domain/text.ts';
import {
  describeSeconds,
  MODE_NAMES,
  VIDEO_MODELS,
  type VideoModel,
  type VideoModelEntry,
  videoModelEntry,
} from './models.ts';

/** What the models accept, in words, for the API reference. */

const describeRules = ({ secondsRules }: VideoModelEntry): string =>
  [...Map.groupBy(secondsRules, ({ seconds }) => describeSeconds(seconds, 'or'))]
    .map(([seconds, rules]) => {
      const cases = rules.map((rule) => ('mode' in rule ? MODE_NAMES[rule.mode] : rule.resolution));
      return `; only ${seconds} with ${joinWords(cases, 'or')}`;
    })
    .join('');

const describeDuration = (entry: VideoModelEntry): string =>
  `${describeSeconds(entry.seconds, 'or')} seconds${describeRules(entry)}`;

const describeEntry = (entry: VideoModelEntry): string =>
  [
    `${describeDuration(entry)}; default ${entry.defaults.seconds}`,
    `${joinWords(entry.resolutions, 'or')}; default ${entry.defaults.resolution}`,
    `${joinWords(entry.aspectRatios, 'or')}; default ${entry.defaults.aspectRatio}`,
    `Up to ${entry.maxReferences} reference images`,
    ...(entry.seed ? [] : ['No seed']),
    ...(entry.negativePrompt.length === 0 ? ['No negative prompt'] : []),
  ].join('. ');

/** Names models only if they differ, and those that accept the same together. */
const describeEach = (
  models: readonly VideoModel[],
  describe: (entry: VideoModelEntry) => string,
): string => {
  const groups = [...Map.groupBy(models, (model) => describe(videoModelEntry(model)))];
  return groups
    .map(([words, names]) => (groups.length === 1 ? words : `${joinWords(names, 'and')}: ${words}`))
    .join('. ');
};

export const describeVideoModels = (): string => `${describeEach(VIDEO_MODELS, describeEntry)}.`;
export const describeDurations = (): string => describeEach(VIDEO_MODELS, describeDuration);
export const describeReferences = (): string =>
  describeEach(VIDEO_MODELS, ({ maxReferences }) => `${maxReferences} per video`);
