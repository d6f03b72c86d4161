import type { RequestImage } from '../api/uploads.ts';
import { allowsNegativePrompt, promptOf, secondsOf, type VideoForm } from './video-form.ts';

/** The images that a form is sent with; a role that its mode does not use is ignored. */
export type VideoFiles<Image = File> = {
  readonly first: readonly Image[];
  readonly last: readonly Image[];
  readonly references: readonly Image[];
};

export type FileRole = keyof VideoFiles;

export const NO_FILES: VideoFiles = { first: [], last: [], references: [] };

export const rolesOf = ({ mode }: VideoForm): readonly FileRole[] => {
  switch (mode) {
    case 'text':
      return [];
    case 'first_frame':
      return ['first'];
    case 'first_and_last_frame':
      return ['first', 'last'];
    case 'references':
      return ['references'];
  }
};

const FIELD_OF_ROLE = {
  first: 'input_reference',
  last: 'last_frame',
  references: 'reference_images',
} as const satisfies Record<FileRole, string>;

export const LIST_FIELDS: readonly string[] = [FIELD_OF_ROLE.references];

/** The fields of the create request that are text, in the order in which one would write them. */
export const textFields = (form: VideoForm): readonly (readonly [string, string])[] => [
  ['model', form.model],
  ['prompt', promptOf(form)],
  ['seconds', String(secondsOf(form))],
  ['resolution', form.resolution],
  ['aspectRatio', form.aspectRatio],
  ...(form.negativePrompt !== '' && allowsNegativePrompt(form)
    ? [['negativePrompt', form.negativePrompt] as const]
    : []),
  ...(form.seed === '' ? [] : [['seed', form.seed] as const]),
  ...(form.mode === 'references' ? [['reference_type', 'asset'] as const] : []),
];

export const fileFields = <Image>(
  form: VideoForm,
  files: VideoFiles<Image>,
): readonly (readonly [string, Image])[] =>
  rolesOf(form).flatMap((role) => files[role].map((image) => [FIELD_OF_ROLE[role], image] as const));

/** Files are named as in `reference_images[][file_id]`: several of one name are a list. */
const fileIdField = (field: string): string => `${field}${LIST_FIELDS.includes(field) ? '[]' : ''}[file_id]`;

export const toFormData = (
  form: VideoForm,
  images: readonly (readonly [field: string, image: RequestImage])[],
): FormData => {
  const data = new FormData();
  for (const [name, value] of textFields(form)) data.append(name, value);
  for (const [field, image] of images)
    if (image instanceof File) data.append(field, image, image.name);
    else data.append(fileIdField(field), image.fileId);
  return data;
};
